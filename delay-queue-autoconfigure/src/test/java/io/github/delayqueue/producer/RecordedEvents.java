package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;

/**
 * Notes the events it is told.
 */
class RecordedEvents implements TaskEventListener {

	private final List<String> events = new CopyOnWriteArrayList<>();

	List<String> events() {
		return this.events;
	}

	@Override
	public void onSchedule(String queue, int accepted, Duration took, Throwable error) {
		if (took.isNegative()) {
			throw new IllegalArgumentException("took " + took);
		}
		this.events.add("schedule " + queue + " " + accepted + ((error != null) ? " " + error.getMessage() : ""));
	}

	@Override
	public void onStart(String queue, String taskId, Duration lateness) {
		this.events.add("start " + taskId + " " + lateness);
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took, TaskFailure failure) {
		this.events.add("end " + taskId + " " + outcome + ((failure != null) ? " " + failure.message() : ""));
	}

	@Override
	public void onLeaseExpired(String queue, String taskId, int expiries) {
		this.events.add("expired " + taskId + " " + expiries);
	}

	@Override
	public void onPurge(String queue, List<String> taskIds) {
		this.events.add("purge " + taskIds);
	}

	@Override
	public void onOrphan(String queue, List<String> taskIds) {
		this.events.add("orphan " + taskIds);
	}

	@Override
	public void onPollError(String queue, Throwable error) {
		this.events.add("poll error " + error.getMessage());
	}

}
