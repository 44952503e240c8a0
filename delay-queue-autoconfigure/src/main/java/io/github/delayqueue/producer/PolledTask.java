package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.run.TaskRun;

/**
 * A task claimed by hand, with the token that settles it.
 */
final class PolledTask extends ReadableTask implements ClaimedTask {

	private final Polling polling;

	private final TaskRun run;

	PolledTask(Polling polling, TaskRun run, TaskContent content) {
		super(content);
		this.polling = polling;
		this.run = run;
	}

	@Override
	public String queue() {
		return this.run.queue();
	}

	@Override
	public String id() {
		return this.run.id();
	}

	@Override
	public Instant dueAt() {
		return this.run.record().dueAt();
	}

	@Override
	public Instant runAt() {
		return this.run.runAt();
	}

	@Override
	public TaskPriority priority() {
		return this.run.record().priority();
	}

	@Override
	public int attempt() {
		return this.run.attempt();
	}

	@Override
	public int expiries() {
		return this.run.record().expiries();
	}

	@Override
	public boolean complete() {
		return settle(this.run.complete());
	}

	@Override
	public boolean again(Duration delay) {
		return settle(this.run.again(Objects.requireNonNull(delay, "delay must not be null")));
	}

	@Override
	public boolean retry(Duration delay) {
		Objects.requireNonNull(delay, "delay must not be null");
		return settle(this.run.retry(delay, this.run.failure(null, "A retry was asked for by hand")));
	}

	@Override
	public boolean bury(String reason) {
		Objects.requireNonNull(reason, "reason must not be null");
		return settle(this.run.bury(true, this.run.failure(DeadReason.BURIED, reason)));
	}

	@Override
	public boolean release() {
		return settle(this.run.release(null));
	}

	private boolean settle(RunEnd end) {
		return this.polling.settle(this.run, end, this.run.age());
	}

	@Override
	public boolean extend(Duration ttr) {
		return this.polling.extend(this.run, Limits.requireTtr(queue(), ttr));
	}

	TaskRun run() {
		return this.run;
	}

	@Override
	public String toString() {
		return this.run.toString();
	}

}
