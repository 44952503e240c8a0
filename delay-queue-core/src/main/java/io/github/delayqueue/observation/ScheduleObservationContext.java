package io.github.delayqueue.observation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * A call that schedules tasks. Its carrier takes the headers that go into each of them.
 * For users who write filters and handlers.
 */
public class ScheduleObservationContext extends SenderContext<Map<String, String>> {

	private final @Nullable String queue;

	private final int tasks;

	private volatile @Nullable String taskId;

	/**
	 * Create a context.
	 * @param queue the queue, {@code null} if there are several
	 * @param tasks how many tasks are scheduled
	 */
	public ScheduleObservationContext(@Nullable String queue, int tasks) {
		super((carrier, key, value) -> Objects.requireNonNull(carrier).put(key, value));
		this.queue = queue;
		this.tasks = tasks;
		setCarrier(new LinkedHashMap<>());
		setRemoteServiceName(ProcessObservationContext.SYSTEM);
		setName("delay.queue.schedule");
		setContextualName((queue != null) ? "schedule " + queue : "schedule");
		addLowCardinalityKeyValues(ProcessObservationContext.common("schedule", "send", queue));
		if (tasks != 1) {
			addHighCardinalityKeyValue(ProcessObservationContext.batchSize(tasks));
		}
	}

	@Override
	public void setError(@Nullable Throwable error) {
		super.setError(error);
		addHighCardinalityKeyValue(ProcessObservationContext.type(error));
	}

	/** The queue, {@code null} if one call schedules to several. */
	public @Nullable String getQueue() {
		return this.queue;
	}

	/** How many tasks: 1 but for {@code scheduleAll}. */
	public int getTasks() {
		return this.tasks;
	}

	/**
	 * The id of the task, {@code null} until it is known, and where there are several
	 * tasks.
	 */
	public @Nullable String getTaskId() {
		return this.taskId;
	}

	void setTaskId(@Nullable String taskId) {
		this.taskId = taskId;
		if (taskId != null) {
			addHighCardinalityKeyValue(KeyValue.of("messaging.message.id", taskId));
		}
	}

}
