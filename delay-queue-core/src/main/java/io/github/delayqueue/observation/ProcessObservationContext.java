package io.github.delayqueue.observation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.event.DeliveryOutcome;

/**
 * A call of a handler. Its carrier has the headers of the task; it is empty where there
 * are several. For users who write filters and handlers.
 */
public class ProcessObservationContext extends ReceiverContext<Map<String, String>> {

	/** A header of tasks whose handling is to have a trace of its own. */
	static final String LINK_HEADER = "delay-queue-trace";

	/** The name of the system, as in the conventions for messaging. */
	static final String SYSTEM = "delay_queue";

	private static final String OUTCOME = "delay_queue.outcome";

	private final String queue;

	private final List<DelayedTask<?>> tasks;

	private volatile Set<DeliveryOutcome> outcomes = Set.of();

	/**
	 * Create a context.
	 * @param tasks what the handler is given, at least one
	 */
	public ProcessObservationContext(String queue, List<DelayedTask<?>> tasks) {
		super((carrier, key) -> carrier.get(key));
		this.queue = queue;
		this.tasks = List.copyOf(tasks);
		setCarrier(isSingle() ? this.tasks.get(0).headers() : Map.of());
		setRemoteServiceName(SYSTEM);
		setName("delay.queue.process");
		setContextualName("process " + queue);
		addLowCardinalityKeyValues(common("process", "process", queue));
		addLowCardinalityKeyValue(KeyValue.of(OUTCOME, KeyValue.NONE_VALUE));
		if (isSingle()) {
			DelayedTask<?> task = this.tasks.get(0);
			addHighCardinalityKeyValues(KeyValues.of("messaging.message.id", task.id(), "delay_queue.task.attempt",
					Integer.toString(task.attempt()), "delay_queue.task.leases_lost",
					Integer.toString(task.leasesLost()), "delay_queue.task.due_at", task.dueAt().toString()));
		}
		else {
			addHighCardinalityKeyValue(batchSize(tasks.size()));
		}
	}

	/**
	 * As the OpenTelemetry conventions for messaging name them. Keys of low cardinality
	 * also become tags of meters.
	 */
	static KeyValues common(String operation, String type, @Nullable String queue) {
		return KeyValues.of("messaging.system", SYSTEM, "messaging.operation.name", operation,
				"messaging.operation.type", type, "messaging.destination.name",
				(queue != null) ? queue : KeyValue.NONE_VALUE);
	}

	static KeyValue batchSize(int tasks) {
		return KeyValue.of("messaging.batch.message_count", Integer.toString(tasks));
	}

	static KeyValue type(@Nullable Throwable error) {
		return KeyValue.of("error.type", (error != null) ? error.getClass().getName() : KeyValue.NONE_VALUE);
	}

	@Override
	public void setError(@Nullable Throwable error) {
		super.setError(error);
		addHighCardinalityKeyValue(type(error));
	}

	public String getQueue() {
		return this.queue;
	}

	/** The tasks of the call, with their payloads: nothing for a key. */
	public List<DelayedTask<?>> getTasks() {
		return this.tasks;
	}

	/** Whether there is a single task, be it in a batch. */
	public boolean isSingle() {
		return this.tasks.size() == 1;
	}

	/**
	 * Whether this belongs to a trace of its own, with links to where its tasks come
	 * from. Otherwise it belongs to the trace that has scheduled its task: because the
	 * task was to wait for longer than {@code delay-queue.observation.link-after}, or
	 * because there are several.
	 */
	public boolean isLinked() {
		return !isSingle() || this.tasks.get(0).headers().containsKey(LINK_HEADER);
	}

	/**
	 * The outcomes of the tasks, of several tasks perhaps several; empty as long as the
	 * handler runs, and where all tasks are released.
	 */
	public Set<DeliveryOutcome> getOutcomes() {
		return this.outcomes;
	}

	void end(Set<DeliveryOutcome> outcomes) {
		this.outcomes = Set.copyOf(outcomes);
		addLowCardinalityKeyValue(KeyValue.of(OUTCOME, switch (outcomes.size()) {
			case 0 -> "released";
			case 1 -> outcomes.iterator().next().name().toLowerCase(Locale.ROOT);
			default -> "mixed";
		}));
	}

}
