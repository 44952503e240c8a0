package io.github.delayqueue.sample.digest;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.DuplicatePolicy;

/**
 * Sees to it that the next digest is scheduled, once: its task has the day for its id,
 * and a second one of that id is rejected, whichever instance comes with it.
 */
@Component
class DigestSchedule implements ApplicationRunner {

	private final DelayQueueOperations delayQueue;

	private final DigestTimes times;

	DigestSchedule(DelayQueueOperations delayQueue, DigestTimes times) {
		this.delayQueue = delayQueue;
		this.times = times;
	}

	/**
	 * Schedule the first one, or the one that is missing.
	 * @param args not used
	 */
	@Override
	public void run(ApplicationArguments args) {
		schedule(this.times.next());
	}

	void scheduleAfter(LocalDate date) {
		schedule(this.times.nextAfter(date));
	}

	/**
	 * The digest that waits.
	 * @return when it is due, empty while one is being written
	 */
	Optional<Instant> dueAt() {
		return waiting().map(TaskDetails::dueAt);
	}

	/**
	 * Have the digest that waits written now.
	 * @return whether one waits
	 */
	boolean bringForward() {
		return waiting().filter((task) -> this.delayQueue.reschedule(DigestListener.QUEUE, task.id(), Duration.ZERO))
			.isPresent();
	}

	private Optional<TaskDetails> waiting() {
		return this.delayQueue.list(DigestListener.QUEUE, TaskState.SCHEDULED, 0, 1).stream().findFirst();
	}

	private void schedule(LocalDate date) {
		this.delayQueue.schedule(TaskRequest.queue(DigestListener.QUEUE)
			.id(date.toString())
			.payload(date)
			.dueAt(this.times.dueAt(date))
			.onDuplicate(DuplicatePolicy.REJECT)
			.build());
	}

}
