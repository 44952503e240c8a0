package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.ReplicatedSchedule;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.TaskStore;

/**
 * Sends tasks to the store in one call, and tells of it.
 */
final class TaskSender {

	private final TaskStore store;

	private final TaskEvents events;

	private final Announcements announcements;

	private final Function<String, ProducerSettings> settings;

	TaskSender(TaskStore store, TaskEvents events, Function<String, ProducerSettings> settings) {
		this.store = store;
		this.events = events;
		this.settings = settings;
		this.announcements = new Announcements(store, System::nanoTime);
	}

	/**
	 * Send tasks, and tell of it.
	 * @param queue the queue
	 * @param tasks the tasks
	 * @return what became of each
	 * @throws NotReplicatedException if they are stored, but not on enough replicas
	 */
	List<ScheduleResult> send(String queue, List<NewTask> tasks) {
		long start = System.nanoTime();
		try {
			List<ScheduleResult> results = call(queue, tasks);
			publish(queue, accepted(results), start, null);
			return results;
		}
		catch (NotReplicatedException ex) {
			publish(queue, accepted(ex.getResults()), start, ex);
			throw ex;
		}
		catch (RuntimeException ex) {
			failed(queue, start, ex);
			throw ex;
		}
	}

	/**
	 * Send tasks, and leave it to the caller to tell of it.
	 * @param queue the queue
	 * @param tasks the tasks
	 * @return what became of each
	 * @throws NotReplicatedException if they are stored, but not on enough replicas
	 */
	List<ScheduleResult> call(String queue, List<NewTask> tasks) {
		int minReplicas = this.settings.apply(queue).minReplicas();
		ReplicatedSchedule reply = (minReplicas > 0) ? this.store.scheduleReplicated(queue, tasks, minReplicas)
				: new ReplicatedSchedule(this.store.schedule(queue, tasks), 0, null);
		List<ScheduleResult> results = toResults(queue, tasks, reply.outcomes());
		this.announcements.announce(queue);
		if (reply.replicas() < minReplicas) {
			throw new NotReplicatedException(queue, results, reply.replicas(), minReplicas, reply.error());
		}
		return results;
	}

	boolean waitsForReplicas(String queue) {
		return this.settings.apply(queue).minReplicas() > 0;
	}

	/**
	 * What a task has to have in common with others for being sent together with them.
	 * @param task the task
	 * @return the partition of its queue that it belongs to
	 */
	String lane(EncodedTask task) {
		return Partitions.home(task.id(), this.store.partitions(task.queue()));
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

	/**
	 * Tell that tasks were scheduled, or could not be.
	 * @param queue the queue
	 * @param accepted how many were stored
	 * @param start when it was begun, in terms of {@link System#nanoTime()}
	 * @param error why not
	 */
	void publish(String queue, int accepted, long start, @Nullable Throwable error) {
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		this.events.publish((listener) -> listener.onSchedule(queue, accepted, took, error));
	}

	private static int accepted(List<ScheduleResult> results) {
		return (int) results.stream().filter(ScheduleResult::isAccepted).count();
	}

	private static List<ScheduleResult> toResults(String queue, List<NewTask> tasks, List<ScheduleOutcome> outcomes) {
		List<ScheduleResult> results = new ArrayList<>(tasks.size());
		for (int i = 0; i < tasks.size(); i++) {
			results.add(new ScheduleResult(queue, tasks.get(i).id(), outcomes.get(i)));
		}
		return results;
	}

}
