package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.event.CurrentHandler;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;

/**
 * Sends tasks to the store in one call, and tells of it.
 */
record TaskSender(TaskStore store, TaskEvents events, List<ProducerPart> parts,
		Function<String, QueueOptions> settings) {

	/**
	 * Send tasks.
	 * @throws NotReplicatedException if they are stored, but not on enough replicas
	 */
	List<ScheduleResult> send(String queue, List<NewTask> tasks) {
		return sendAhead(queue, tasks).get();
	}

	/**
	 * Send tasks and learn later what became of them, unless replicas have to be waited
	 * for.
	 * @return waits for what became of each, and gives it, or throws what
	 * {@link #send(String, List)} would; to be called in any case, by the same thread
	 * @throws NotReplicatedException if they are stored, but not on enough replicas
	 */
	Supplier<List<ScheduleResult>> sendAhead(String queue, List<NewTask> tasks) {
		int minReplicas = this.settings.apply(queue).minReplicas();
		ScheduleOptions options = (minReplicas > 0) ? ScheduleOptions.replicated(minReplicas) : ScheduleOptions.NONE;
		long start = System.nanoTime();
		Supplier<ScheduleReply> answer = attempt(queue, start, () -> this.store.scheduleAhead(queue, tasks, options));
		if (minReplicas > 0) {
			List<ScheduleResult> results = finish(queue, tasks, start, answer, minReplicas);
			return () -> results;
		}
		return () -> finish(queue, tasks, start, answer, minReplicas);
	}

	private List<ScheduleResult> finish(String queue, List<NewTask> tasks, long start, Supplier<ScheduleReply> answer,
			int minReplicas) {
		ScheduleReply reply = attempt(queue, start, answer);
		List<ScheduleResult> results = IntStream.range(0, tasks.size())
			.mapToObj((i) -> new ScheduleResult(queue, tasks.get(i).id(), reply.outcomes().get(i)))
			.toList();
		NotReplicatedException error = (reply.replicas() < minReplicas)
				? new NotReplicatedException(queue, results, reply.replicas(), minReplicas, reply.error()) : null;
		publish(queue, (int) results.stream().filter(ScheduleResult::isAccepted).count(), start, error);
		results.forEach(TaskSender::tellHandler);
		this.parts.forEach((part) -> part.scheduled(queue));
		if (error != null) {
			throw error;
		}
		return results;
	}

	/**
	 * The partition a task belongs to: what it has in common with those it can be sent
	 * with.
	 */
	String lane(EncodedTask task) {
		return Partitions.home(task.id(), this.store.partitions(task.queue()));
	}

	/** How many tasks of a queue to send at once, for the calls to come. */
	Pace pace(String queue) {
		return new Pace(this.store.isSerial(queue));
	}

	/**
	 * Do a step, and tell if it fails that tasks could not be scheduled, as was tried
	 * since a {@link System#nanoTime()}.
	 */
	<T> T attempt(String queue, long start, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (RuntimeException ex) {
			publish(queue, 0, start, ex);
			throw ex;
		}
	}

	private void publish(String queue, int accepted, long start, @Nullable RuntimeException error) {
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		this.events.publish((listener) -> listener.onSchedule(queue, accepted, took, error));
	}

	/** It may have replaced the task that it handles. */
	private static void tellHandler(ScheduleResult result) {
		if (result.outcome() == ScheduleOutcome.REPLACED || result.outcome() == ScheduleOutcome.DEFERRED) {
			CurrentHandler.replaced(result.queue(), result.taskId());
		}
	}

}
