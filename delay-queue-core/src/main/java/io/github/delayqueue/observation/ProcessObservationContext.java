package io.github.delayqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.micrometer.observation.transport.ReceiverContext;

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

	private final String queue;

	private final List<DelayedTask<?>> tasks;

	private volatile boolean ended;

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
	}

	/** The queue. */
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
	 * from, and not to the trace that has scheduled its task: because the task was to
	 * wait for longer than {@code delay-queue.observation.link-after}, or because there
	 * are several.
	 */
	public boolean isLinked() {
		return !isSingle() || this.tasks.get(0).headers().containsKey(LINK_HEADER);
	}

	/** Whether the handler has ended. */
	public boolean isEnded() {
		return this.ended;
	}

	/**
	 * The outcomes of the tasks, of several tasks perhaps several; empty as long as the
	 * handler runs, and where all tasks are handed back.
	 */
	public Set<DeliveryOutcome> getOutcomes() {
		return this.outcomes;
	}

	void end(Set<DeliveryOutcome> outcomes) {
		this.outcomes = Set.copyOf(outcomes);
		this.ended = true;
	}

}
