package io.github.delayqueue.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Settlement.Action;

/**
 * Makes up operations on one queue: few ids, short times, so that everything meets
 * everything. The same random numbers, the same operations.
 */
final class RandomOperations {

	private static final List<String> IDS = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a b", "a:b",
			"10", "9", "100%", "{x}", "é", "日本", "\uE000", "\uD83D\uDE00");

	private final Random random;

	private final String queue;

	private final Clock clock;

	/** The token each id was last claimed with. */
	private final Map<String, String> tokens = new HashMap<>();

	/** Ids that were claimed, and that no settlement has been made up for since. */
	private final Set<String> held = new LinkedHashSet<>();

	private int claims;

	private boolean paused;

	RandomOperations(Random random, String queue, Clock clock) {
		this.random = random;
		this.queue = queue;
		this.clock = clock;
	}

	/**
	 * An operation, whose answer stores can be compared by.
	 *
	 * @param text what it does
	 * @param step how to have a store do it
	 */
	record Operation(String text, Function<TaskStore, Object> step) {

		@Override
		public String toString() {
			return this.text;
		}

	}

	Operation next() {
		if (this.paused && chance(30)) {
			return resume();
		}
		int choice = this.random.nextInt(1000);
		if (choice < 220) {
			return schedule();
		}
		if (choice < 450) {
			return claim();
		}
		if (choice < 680) {
			return settle();
		}
		if (choice < 750) {
			return extend();
		}
		if (choice < 795) {
			return cancel();
		}
		if (choice < 845) {
			return reschedule();
		}
		if (choice < 945) {
			return redrive();
		}
		if (choice < 960) {
			return purge();
		}
		if (choice < 985) {
			return page();
		}
		return (choice < 990) ? clear() : pause();
	}

	/**
	 * Learn the tokens that are right from now on.
	 * @param answer what an operation was answered with
	 */
	void learn(Object answer) {
		if (answer instanceof ClaimResult result) {
			result.tasks().forEach((task) -> {
				this.tokens.put(task.id(), "t" + this.claims);
				this.held.add(task.id());
			});
		}
	}

	private Operation schedule() {
		List<NewTask> tasks = several(this::newTask);
		return new Operation("schedule " + ValueText.of(tasks), (store) -> store.schedule(this.queue, tasks));
	}

	private NewTask newTask() {
		return new NewTask(id(), bytes(this.random.nextInt(40)), due(), any(TaskPriority.values()),
				any(DuplicatePolicy.values()));
	}

	private Operation claim() {
		this.claims++;
		ClaimRequest request = new ClaimRequest("t" + this.claims, 1 + this.random.nextInt(8), this.random.nextInt(9),
				millis(60), chance(50) ? ClaimRequest.DEFAULT_MAX_BYTES : 1 + this.random.nextInt(80), chance(30),
				retention());
		return new Operation(request.toString(), (store) -> store.claim(this.queue, request));
	}

	private Retention retention() {
		return new Retention(chance(70) ? Duration.ofHours(1) : millis(100), chance(80) ? null : millis(200),
				chance(80) ? null : (long) this.random.nextInt(4));
	}

	private Operation settle() {
		List<Settlement> settlements = several(this::settlement);
		return new Operation("settle " + ValueText.of(settlements), (store) -> store.settle(this.queue, settlements));
	}

	private Settlement settlement() {
		String id = heldId();
		this.held.remove(id);
		return switch (any(Action.values())) {
			case COMPLETE -> Settlement.complete(id, token(id), false);
			case COMPLETE_AND_KEEP -> Settlement.complete(id, token(id), true);
			case RETRY -> new Settlement(id, token(id), Action.RETRY, chance(80), millis(50), failure());
			case BURY -> Settlement.bury(id, token(id), chance(50), failure());
			case RELEASE -> Settlement.release(id, token(id), chance(50) ? null : millis(50));
		};
	}

	private Operation extend() {
		List<Extension> extensions = several(() -> {
			String id = heldId();
			return new Extension(id, token(id), millis(80));
		});
		return new Operation("extend " + extensions, (store) -> store.extend(this.queue, extensions));
	}

	private Operation cancel() {
		String id = id();
		return new Operation("cancel " + id, (store) -> store.cancel(this.queue, id));
	}

	private Operation reschedule() {
		String id = id();
		DueTime due = due();
		return new Operation("reschedule " + id + " " + due, (store) -> store.reschedule(this.queue, id, due));
	}

	private Operation redrive() {
		List<String> ids = several(this::id);
		return new Operation("redrive " + ids, (store) -> store.redrive(this.queue, ids));
	}

	private Operation purge() {
		TaskState state = chance(50) ? TaskState.DEAD : TaskState.COMPLETED;
		int limit = 1 + this.random.nextInt(3);
		return new Operation("purge " + state + " " + limit, (store) -> store.purge(this.queue, state, limit));
	}

	private Operation page() {
		TaskState state = any(TaskState.values());
		int offset = this.random.nextInt(6);
		int limit = 1 + this.random.nextInt(6);
		return new Operation("list " + state + " " + offset + " " + limit,
				(store) -> store.list(this.queue, state, offset, limit));
	}

	private Operation clear() {
		return new Operation("clear", (store) -> store.clear(this.queue));
	}

	private Operation pause() {
		this.paused = true;
		return new Operation("pause", (store) -> {
			store.pause(this.queue);
			return "paused";
		});
	}

	private Operation resume() {
		this.paused = false;
		return new Operation("resume", (store) -> {
			store.resume(this.queue);
			return "resumed";
		});
	}

	private String id() {
		return IDS.get(this.random.nextInt(IDS.size()));
	}

	private String heldId() {
		return (!this.held.isEmpty() && chance(80)) ? this.held.iterator().next() : id();
	}

	/** Mostly the right one, else that of another claim. */
	private String token(String id) {
		return chance(85) ? this.tokens.getOrDefault(id, "none") : "t" + this.random.nextInt(this.claims + 1);
	}

	private DueTime due() {
		Instant now = this.clock.instant();
		return switch (this.random.nextInt(10)) {
			case 0 -> DueTime.at(now.minusMillis(this.random.nextInt(100)));
			case 1, 2 -> DueTime.at(now.plusMillis(this.random.nextInt(100)));
			case 3 -> DueTime.in(Duration.ofDays(this.random.nextInt(5_000_000)));
			case 4, 5, 6 -> DueTime.in(Duration.ZERO);
			default -> DueTime.in(millis(60));
		};
	}

	private Duration millis(int bound) {
		return Duration.ofMillis(this.random.nextInt(bound));
	}

	private byte @Nullable [] failure() {
		return chance(50) ? bytes(1 + this.random.nextInt(10)) : null;
	}

	private byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

	private <T> T any(T[] values) {
		return values[this.random.nextInt(values.length)];
	}

	private <T> List<T> several(Supplier<T> supplier) {
		List<T> several = new ArrayList<>();
		IntStream.rangeClosed(0, this.random.nextInt(6)).forEach((i) -> several.add(supplier.get()));
		return several;
	}

}
