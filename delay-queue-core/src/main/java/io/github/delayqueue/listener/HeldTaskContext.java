package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;

import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.TaskStore;

/**
 * What a handler can ask and do about a held task.
 */
record HeldTaskContext(HeldTask task, RedeliveryPolicy policy, TaskStore store) implements TaskContext {

	@Override
	public boolean extend(Duration ttr) {
		Duration bounded = (ttr.compareTo(QueueOptions.MAX_DURATION) > 0) ? QueueOptions.MAX_DURATION : ttr;
		long sentAt = this.task.nanoTime();
		Extension extension = new Extension(this.task.id(), this.task.token(), bounded);
		boolean extended = this.store.extend(this.task.partition(), List.of(extension)).get(0);
		if (extended) {
			this.task.extendedAt(sentAt, bounded);
		}
		else {
			this.task.loseLease();
		}
		return extended;
	}

	@Override
	public boolean isLeaseLost() {
		return this.task.isLeaseLost(this.task.nanoTime());
	}

	@Override
	public int maxAttempts() {
		return this.policy.maxAttempts();
	}

	@Override
	public boolean isLastAttempt() {
		return this.task.attempt() >= maxAttempts();
	}

}
