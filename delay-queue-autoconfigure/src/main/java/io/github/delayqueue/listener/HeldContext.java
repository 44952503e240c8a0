package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;

import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.TaskStore;

/**
 * The context of a held task.
 */
final class HeldContext implements TaskContext {

	private final Held held;

	private final RedeliveryPolicy policy;

	private final TaskStore store;

	HeldContext(Held held, RedeliveryPolicy policy, TaskStore store) {
		this.held = held;
		this.policy = policy;
		this.store = store;
	}

	@Override
	public boolean extend(Duration ttr) {
		Duration bounded = (ttr.compareTo(QueueOptions.MAX_DURATION) > 0) ? QueueOptions.MAX_DURATION : ttr;
		long sentAt = System.nanoTime();
		Extension extension = new Extension(this.held.id(), this.held.token(), bounded);
		boolean extended = this.store.extend(this.held.partition(), List.of(extension)).get(0);
		if (extended) {
			this.held.extendedAt(sentAt, bounded);
		}
		else {
			this.held.loseLease();
		}
		return extended;
	}

	@Override
	public boolean isLeaseLost() {
		return this.held.isLeaseLost(System.nanoTime());
	}

	@Override
	public int maxAttempts() {
		return this.policy.maxAttempts();
	}

	@Override
	public boolean isLastAttempt() {
		return this.held.record().failures() + 1 >= maxAttempts();
	}

}
