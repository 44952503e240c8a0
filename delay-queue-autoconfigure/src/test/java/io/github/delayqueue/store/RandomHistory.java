package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A random history that two stores live through under one clock, which is also stepped
 * back. After each operation they must have given the same answer and hold the same
 * tasks. What goes wrong is told with the seed that repeats it.
 */
final class RandomHistory {

	private static final int REMEMBERED = 10;

	private final TaskStore model;

	private final TaskStore candidate;

	private final MutableClock clock;

	private final long seed;

	private final Random random;

	private final String queue = "history." + UUID.randomUUID();

	private final RandomOperations operations;

	private final Deque<String> past = new ArrayDeque<>();

	RandomHistory(TaskStore model, TaskStore candidate, MutableClock clock, long seed) {
		this.model = model;
		this.candidate = candidate;
		this.clock = clock;
		this.seed = seed;
		this.random = new Random(seed);
		this.operations = new RandomOperations(this.random, this.queue, clock);
	}

	String queue() {
		return this.queue;
	}

	/**
	 * Live through a number of steps.
	 * @param steps how many
	 * @param afterEach a further check after each of them
	 */
	void run(int steps, Runnable afterEach) {
		for (int step = 1; step <= steps; step++) {
			turnClock();
			RandomOperations.Operation operation = this.operations.next();
			remember(operation);
			try {
				perform(operation);
				afterEach.run();
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("Seed %d, step %d%n%s%n%s".formatted(this.seed, step,
						String.join(System.lineSeparator(), this.past), ex.getMessage()), ex);
			}
		}
	}

	private void turnClock() {
		int choice = this.random.nextInt(100);
		if (choice < 50) {
			this.clock.advance(Duration.ofMillis(this.random.nextInt(20)));
		}
		else if (choice < 53) {
			this.clock.advance(Duration.ofMillis(-this.random.nextInt(200)));
		}
		else if (choice < 55) {
			this.clock.advance(Duration.ofMillis(this.random.nextInt(500)));
		}
	}

	private void perform(RandomOperations.Operation operation) {
		Object expected = operation.step().apply(this.model);
		Object actual = operation.step().apply(this.candidate);
		assertSame("answer", expected, actual);
		this.operations.learn(expected);
		assertSame("figures", this.model.stats(this.queue), this.candidate.stats(this.queue));
		for (TaskState state : TaskState.values()) {
			assertSame(state.name(), this.model.list(this.queue, state, 0, TaskStore.MAX_BATCH),
					this.candidate.list(this.queue, state, 0, TaskStore.MAX_BATCH));
		}
	}

	private static void assertSame(String what, Object expected, Object actual) {
		assertThat(ValueText.of(actual)).as(what).isEqualTo(ValueText.of(expected));
	}

	private void remember(RandomOperations.Operation operation) {
		this.past.add("%s %s".formatted(this.clock.instant(), operation));
		if (this.past.size() > REMEMBERED) {
			this.past.remove();
		}
	}

}
