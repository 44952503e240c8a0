package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.TaskStore;

/**
 * Sends tasks to the store in one call, and tells of it.
 */
final class TaskSender {

	private final TaskStore store;

	private final TaskEvents events;

	private final Announcements announcements;

	TaskSender(TaskStore store, TaskEvents events) {
		this.store = store;
		this.events = events;
		this.announcements = new Announcements(store, System::nanoTime);
	}

	List<ScheduleResult> send(String queue, List<NewTask> tasks) {
		long start = System.nanoTime();
		List<ScheduleResult> results;
		try {
			results = toResults(queue, tasks, this.store.schedule(queue, tasks));
		}
		catch (RuntimeException ex) {
			failed(queue, start, ex);
			throw ex;
		}
		int accepted = (int) results.stream().filter(ScheduleResult::isAccepted).count();
		publish(queue, accepted, start, null);
		this.announcements.announce(queue);
		return results;
	}

	/**
	 * Tell that tasks could not be scheduled.
	 * @param queue the queue
	 * @param start when it was tried, in terms of {@link System#nanoTime()}
	 * @param error why
	 */
	void failed(String queue, long start, RuntimeException error) {
		publish(queue, 0, start, error);
	}

	private void publish(String queue, int accepted, long start, @Nullable RuntimeException error) {
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		this.events.publish((listener) -> listener.onSchedule(queue, accepted, took, error));
	}

	private static List<ScheduleResult> toResults(String queue, List<NewTask> tasks, List<ScheduleOutcome> outcomes) {
		List<ScheduleResult> results = new ArrayList<>(tasks.size());
		for (int i = 0; i < tasks.size(); i++) {
			results.add(new ScheduleResult(queue, tasks.get(i).id(), outcomes.get(i)));
		}
		return results;
	}

}
