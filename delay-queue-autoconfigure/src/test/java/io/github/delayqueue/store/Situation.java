package io.github.delayqueue.store;

import java.time.Duration;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Tasks;

/**
 * What can be the matter with a task id: the columns of the table of operations. Every
 * known task has been claimed with {@link #TOKEN} and has failed once.
 */
enum Situation {

	SCHEDULED, IN_FLIGHT, COMPLETED, DEAD, UNKNOWN;

	static final String TASK = "task";

	static final String TOKEN = "right";

	static final byte[] OLD_ENVELOPE = Tasks.bytes("old");

	static final byte[] FAILURE = Tasks.bytes("failed once");

	/** After what time the task was due again when it had failed. */
	static final Duration RETRY_DELAY = Duration.ofSeconds(10);

	/**
	 * Bring the task about.
	 * @param fixture where
	 */
	void arrange(TaskStoreFixture fixture) {
		if (this == UNKNOWN) {
			return;
		}
		fixture.schedule(
				new NewTask(TASK, OLD_ENVELOPE, DueTime.in(Duration.ZERO), TaskPriority.HIGH, DuplicatePolicy.REPLACE));
		finish(fixture);
	}

	/**
	 * Bring a task that is due into this situation.
	 * @param fixture where
	 */
	void finish(TaskStoreFixture fixture) {
		fixture.claim(TOKEN);
		fixture.settle(Settlement.retry(TASK, TOKEN, RETRY_DELAY, FAILURE));
		if (this == SCHEDULED) {
			return;
		}
		fixture.advance(RETRY_DELAY);
		fixture.claim(TOKEN);
		if (this == COMPLETED) {
			fixture.settle(Settlement.complete(TASK, TOKEN, true));
		}
		if (this == DEAD) {
			fixture.settle(Settlement.bury(TASK, TOKEN, true, null));
		}
	}

	boolean isKnown() {
		return this != UNKNOWN;
	}

}
