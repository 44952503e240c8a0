package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.CurrentHandler;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.TaskStore;

/** Sends tasks to the store in one call, and tells of it. For parts. */
public record TaskSender(TaskStore store, TaskEvents events, List<ProducerPart> parts,
		Function<String, QueueOptions> settings) {

	/**
	 * Send tasks.
	 * @throws NotReplicatedException if they are stored, but not as safe as they are to
	 * be
	 */
	public List<ScheduleResult> send(String queue, List<NewTask> tasks) {
		long start = System.nanoTime();
		return finish(queue, tasks, start, begin(queue, tasks, start));
	}

	/**
	 * Send tasks, and learn later what became of them.
	 * @param start since when, by {@link System#nanoTime()}
	 * @return for {@link #finish}, in any case, by the same thread
	 */
	public Supplier<ScheduleReply> begin(String queue, List<NewTask> tasks, long start) {
		for (NewTask task : tasks) {
			// a handler may replace its own task, and that may be known before the answer
			CurrentHandler.replaced(queue, task.id());
		}
		try {
			return this.store.scheduleAhead(queue, tasks, ScheduleOptions.CONFIRMED);
		}
		catch (RuntimeException ex) {
			throw failed(queue, start, ex);
		}
	}

	/**
	 * Wait for what became of tasks, and tell of it.
	 * @throws NotReplicatedException as {@link #send} does
	 */
	public List<ScheduleResult> finish(String queue, List<NewTask> tasks, long start, Supplier<ScheduleReply> answer) {
		ScheduleReply reply;
		try {
			reply = answer.get();
		}
		catch (RuntimeException ex) {
			throw failed(queue, start, ex);
		}
		List<ScheduleResult> results = new ArrayList<>(tasks.size());
		int accepted = 0;
		for (int i = 0; i < tasks.size(); i++) {
			ScheduleResult result = new ScheduleResult(queue, tasks.get(i).id(), reply.outcomes().get(i));
			results.add(result);
			accepted += result.isAccepted() ? 1 : 0;
		}
		NotReplicatedException error = (reply.doubt() != null)
				? new NotReplicatedException(queue, results, reply.doubt()) : null;
		publish(queue, accepted, start, error);
		for (ProducerPart part : this.parts) {
			part.scheduled(queue);
		}
		if (error != null) {
			throw error;
		}
		return results;
	}

	/**
	 * Tell that tasks could not be scheduled.
	 * @param start since when it was tried, by {@link System#nanoTime()}
	 * @return the same error
	 */
	RuntimeException failed(String queue, long start, RuntimeException error) {
		publish(queue, 0, start, error);
		return error;
	}

	private void publish(String queue, int accepted, long start, @Nullable RuntimeException error) {
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		this.events.publish((listener) -> listener.onSchedule(queue, accepted, took, error));
	}

}
