package io.github.delayqueue.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.Retention;

import static io.github.delayqueue.fixtures.Tasks.bytes;

/**
 * Makes up the operations of one history. The same random numbers and the same answers,
 * the same operations. What a history is about is drawn first: which operations occur and
 * how often, how many ids and workers there are, how large batches are. Most have few ids
 * and short times, so that everything meets everything.
 */
final class RandomOperations {

	private static final List<String> IDS = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a b", "a:b",
			"10", "9", "100%", "{x}", "é", "日本", "\uE000", "\uD83D\uDE00");

	private static final String[] PARTITIONS = { "8", "8,1", "10" };

	/** Beyond every number of tasks that one step looks at or removes. */
	private static final int MANY_IDS = 700;

	private static final int OPENING = 3;

	/** Few generations, so that the same ones meet. */
	private static final int HIGHEST = 4;

	private static final Duration LONGEST = Duration.ofDays(5_000_000);

	private final Random random;

	private final Clock clock;

	private final List<String> ids;

	/** Whether batches go to the bounds. */
	private final boolean large;

	private final int mostInBatch;

	private final Map<Kind, Integer> weights = new EnumMap<>(Kind.class);

	private final RandomDeliveries deliveries;

	/** Ids that something was done to by which they may have become dead or completed. */
	private final List<String> ended = new ArrayList<>();

	/** How long things take in this history, in milliseconds. */
	private final int scale;

	/** Whether times have parts of milliseconds, to which due times are rounded. */
	private final boolean exact;

	private int lastId;

	private int made;

	private boolean paused;

	/** What claims of this history are held to, those that are. */
	private final @Nullable RateLimit rate;

	private final @Nullable Integer inFlight;

	RandomOperations(Random random, Clock clock) {
		this.random = random;
		this.clock = clock;
		this.large = chance(3);
		this.ids = this.large ? IntStream.range(0, MANY_IDS).mapToObj((i) -> "task-" + i).toList()
				: IDS.subList(0, chance(60) ? 1 + random.nextInt(4) : 1 + random.nextInt(IDS.size()));
		this.mostInBatch = this.large ? TaskStore.MAX_BATCH : any(1, 2, 3, 6, 12);
		this.scale = chance(90) ? 50 : 100_000_000;
		this.exact = chance(40);
		this.deliveries = new RandomDeliveries(random, 1 + random.nextInt(3));
		this.rate = chance(25) ? new RateLimit(any(1, 7, 40, 100, 3000), Duration.ofSeconds(any(1, 1, 1, 60))) : null;
		this.inFlight = chance(25) ? any(1, 2, 3, 6) : null;
		for (Kind kind : Kind.values()) {
			this.weights.put(kind, kind.weight * (kind.isVital ? any(1, 2) : any(0, 1, 1, 3)));
		}
	}

	private enum Kind {

		SCHEDULE(20, true), CLAIM(20, true), SETTLE(20, true), CLOCK(20, true), TEND(10, true), EXTEND(6, false),
		CANCEL(4, false), RESCHEDULE(4, false), REDRIVE(8, false), PURGE(5, false), CLEAR(1, false), PAUSE(1, false),
		RESUME(1, false), FIND(4, false), PAGE(7, false), STATS(6, false), ANNOUNCE(1, false), LEARN(1, false),
		CANCEL_OLDER(6, false), RESCHEDULE_OLDER(5, false), BEAT(1, false);

		private final int weight;

		private final boolean isVital;

		Kind(int weight, boolean vital) {
			this.weight = weight;
			this.isVital = vital;
		}

	}

	/**
	 * Make up an operation.
	 * @return the operation
	 */
	HistoryOperation next() {
		if (this.large && this.made < OPENING) {
			return opening(this.made++);
		}
		if (this.paused && chance(25)) {
			this.paused = false;
			return new HistoryOperation.Resume();
		}
		return switch (kind()) {
			case SCHEDULE -> new HistoryOperation.Schedule(known(),
					someGenerated(batch(this::newTask, (task) -> newTask(task.id()))));
			case CLAIM -> claim();
			case SETTLE -> settle();
			case CLOCK -> new HistoryOperation.Clock(turn());
			case TEND -> new HistoryOperation.Tend(retention());
			case EXTEND ->
				new HistoryOperation.Extend(batch(this::extension, (its) -> extension(its.taskId(), its.token())));
			case CANCEL -> new HistoryOperation.Cancel(anyId());
			case RESCHEDULE -> new HistoryOperation.Reschedule(anyId(), due());
			case REDRIVE -> new HistoryOperation.Redrive(batch(this::anyId, Function.identity()));
			case PURGE -> new HistoryOperation.Purge(chance(50) ? TaskState.DEAD : TaskState.COMPLETED, limit(3));
			case CLEAR -> new HistoryOperation.Clear();
			case PAUSE -> {
				this.paused = true;
				yield new HistoryOperation.Pause();
			}
			case RESUME -> new HistoryOperation.Resume();
			case FIND -> new HistoryOperation.Find(anyId());
			case PAGE -> page(any(TaskState.values()), chance(80) ? 0 : this.random.nextInt(this.large ? 300 : 6));
			case STATS -> new HistoryOperation.Stats();
			case ANNOUNCE -> new HistoryOperation.Announce();
			case LEARN -> new HistoryOperation.Learn(chance(20) ? "" : any(PARTITIONS), chance(40));
			case CANCEL_OLDER -> new HistoryOperation.CancelOlder(anyId(), generation());
			case RESCHEDULE_OLDER -> reschedule(anyId(), due(), generation());
			case BEAT -> new HistoryOperation.Beat(new Epoch("one", 3),
					chance(97) ? any("one", "two") : any("", "not one", "x".repeat(65)));
		};
	}

	private static HistoryOperation reschedule(String id, DueTime due, long generation) {
		return new HistoryOperation.RescheduleVersion(id, due, generation, Math.min(generation + 1, Generation.MAX));
	}

	/** Large histories begin with many tasks that are dead or completed. */
	private HistoryOperation opening(int index) {
		if (index == 0) {
			return new HistoryOperation.Schedule("", ids((id) -> new NewTask(id, bytes(1), DueTime.in(Duration.ZERO),
					any(TaskPriority.values()), Replacement.REPLACE)));
		}
		String token = "opening";
		if (index == 1) {
			return new HistoryOperation.Claim(
					ClaimRequest.of(token, TaskStore.MAX_BATCH, Duration.ofMillis(this.scale)));
		}
		SettlementKind kind = any(SettlementKind.DEAD_LETTER, SettlementKind.COMPLETE_AND_KEEP);
		return new HistoryOperation.Settle(ids((id) -> settlement(id, token, kind)));
	}

	private <T> List<T> ids(Function<String, T> entry) {
		return this.ids.stream().limit(TaskStore.MAX_BATCH).map(entry).toList();
	}

	private Kind kind() {
		int choice = this.random.nextInt(this.weights.values().stream().mapToInt(Integer::intValue).sum());
		for (Map.Entry<Kind, Integer> entry : this.weights.entrySet()) {
			choice -= entry.getValue();
			if (choice < 0) {
				return entry.getKey();
			}
		}
		throw new IllegalStateException("Weights do not add up");
	}

	/**
	 * Learn who holds which task from now on.
	 * @param operation what was done
	 * @param answer what it was answered with
	 */
	void learn(HistoryOperation operation, Object answer) {
		if (operation instanceof HistoryOperation.Claim claim && answer instanceof ClaimResult result) {
			result.tasks().forEach((task) -> this.deliveries.claimed(task.id(), claim.request().token()));
		}
	}

	private NewTask newTask() {
		return newTask(id());
	}

	private NewTask newTask(String id) {
		Replacement policy = chance(60) ? Replacement.REPLACE : any(Replacement.REJECT, Replacement.NEWER);
		byte[] envelope = envelope();
		DueTime due = due();
		NewTask task = new NewTask(id, envelope, due, any(TaskPriority.values()), policy);
		return isDebounced(policy, envelope, due) ? Tasks
			.with(new Debounce(due.millis(), due.millis() + (due.millis() * 7 + this.scale) % (4L * this.scale)), task)
				: task;
	}

	/**
	 * Without a draw: most that can be, in histories of two ids. The store takes their
	 * generations away, so in all others there are none.
	 */
	private boolean isDebounced(Replacement policy, byte[] envelope, DueTime due) {
		return this.ids.size() == 2 && policy == Replacement.REPLACE && Generation.isMarkable(envelope)
				&& due.relative() && due.millis() % 3 < 2;
	}

	private HistoryOperation page(TaskState state, int offset) {
		return chance(20) ? new HistoryOperation.Glance(state, offset, limit(6))
				: new HistoryOperation.Page(state, offset, limit(6), chance(70));
	}

	/**
	 * Mostly with a generation, now and then with what only looks like one, or too long
	 * for a glance.
	 */
	private byte[] envelope() {
		if (chance(60)) {
			return Generation.mark(object(), this.random.nextInt(HIGHEST));
		}
		if (chance(20)) {
			return object();
		}
		int length = this.random.nextInt(chance(90) ? 6 : 40);
		return Arrays.copyOf(bytes(length), (length < 30) ? length : Contents.SMALL.maxBytes() + 1);
	}

	private byte[] object() {
		return Tasks.bytes(any("{}", "{}", "{\"v\":1}", "{ \n}", "{\"g\":\"000000000000009\"}",
				"{\"g\":\"00000000000000009\"}", "{\"g\":\"000000000000000x\"}", "{\"g\":\"0000000000000009"));
	}

	private long generation() {
		return chance(98) ? this.random.nextInt(HIGHEST) : any(-1L, Generation.MAX, Generation.MAX + 1);
	}

	/**
	 * Single tasks are generated more often than they are not: there is a shorter way for
	 * them. No id is generated twice in a batch.
	 */
	private List<NewTask> someGenerated(List<NewTask> tasks) {
		boolean alone = tasks.size() == 1;
		if (!chance(alone ? 60 : 20)) {
			return tasks;
		}
		Map<String, Long> times = tasks.stream().collect(Collectors.groupingBy(NewTask::id, Collectors.counting()));
		return tasks.stream()
			.map((task) -> (times.get(task.id()) == 1 && (alone || chance(60)))
					? new NewTask(task.id(), task.envelope(), task.due(), task.priority(), task.onDuplicate(), true)
					: task)
			.toList();
	}

	/** Mostly nothing, because one who is wrong is refused whatever he asks for. */
	private String known() {
		return chance(85) ? "" : any("1", any(PARTITIONS));
	}

	private HistoryOperation claim() {
		int limit = limit(8);
		return new HistoryOperation.Claim(new ClaimRequest(this.deliveries.newToken(), limit,
				chance(60) ? limit : this.random.nextInt(Math.max(2, Math.min(limit, 500))), chance(25), chance(40),
				new ClaimTerms(longer(time(60)), maxBytes(), limits(), chance(40) ? null : any(2, 2, 2, 3), "")));
	}

	/** Not all consumers are set to the same. */
	private List<ClaimPart> limits() {
		if (this.rate == null && this.inFlight == null) {
			return List.of();
		}
		Integer inFlight = (this.inFlight != null && chance(10)) ? Integer.valueOf(this.inFlight + 1) : this.inFlight;
		return new FlowLimits(chance(90) ? this.rate : null, chance(90) ? inFlight : null).parts();
	}

	private long maxBytes() {
		return chance(this.large ? 90 : 60) ? ClaimTerms.DEFAULT_MAX_BYTES
				: this.random.nextInt(this.large ? 1000 : any(3, 20, 80));
	}

	private Retention retention() {
		return new Retention(chance(this.large ? 30 : 60) ? Duration.ofHours(1) : longer(time(100)),
				chance(75) ? null : longer(time(200)),
				chance(this.large ? 50 : 75) ? null : (long) this.random.nextInt(4));
	}

	/** All the same, or anything mixed. */
	private HistoryOperation settle() {
		SettlementKind[] kinds = chance(this.large ? 20 : 50) ? SettlementKind.values()
				: new SettlementKind[] { any(SettlementKind.values()) };
		return new HistoryOperation.Settle(batch(() -> {
			RandomDeliveries.Delivery delivery = this.deliveries.toSettle(this::id);
			return settlement(delivery.id(), delivery.token(), any(kinds));
		}, (its) -> settlement(its.taskId(), its.token(), any(kinds))));
	}

	/** Without a draw for what its handler took: any will do. */
	private Settlement settlement(String id, String token, SettlementKind kind) {
		return endOf(id, token, kind).handled(id.length() % 2 == 0, Duration.ofNanos(1000L * token.length()));
	}

	private Settlement endOf(String id, String token, SettlementKind kind) {
		if (kind == SettlementKind.DEAD_LETTER || kind == SettlementKind.COMPLETE_AND_KEEP) {
			this.ended.add(id);
		}
		return switch (kind) {
			case COMPLETE -> Endings.complete(id, token, false);
			case COMPLETE_AND_KEEP -> Endings.complete(id, token, true);
			case RETRY -> Endings.retry(id, token, delay(chance(80), longer(time(50))), failure());
			case DEAD_LETTER -> Endings.deadLetter(id, token, chance(50), failure());
			case RELEASE -> Endings.release(id, token, chance(50) ? null : longer(time(50)));
			case DROP -> Endings.drop(id, token);
			case REPEAT -> chance(70) ? Endings.repeat(id, token, nextRun(), null)
					: Endings.again(id, token, longer(time(50)), null);
			case SKIP -> Endings.skip(id, token, chance(50), failure(), nextRun());
		};
	}

	private static Duration delay(boolean positive, Duration length) {
		return positive ? length : length.negated();
	}

	/** Now and then of the past, or beyond the calendar. */
	private Instant nextRun() {
		Instant now = this.clock.instant();
		return chance(20) ? now.minus(time(100)) : chance(98) ? now.plus(time(60)) : Instant.MAX;
	}

	private Extension extension() {
		RandomDeliveries.Delivery delivery = this.deliveries.toExtend(this::id);
		return extension(delivery.id(), delivery.token());
	}

	private Extension extension(String id, String token) {
		return new Extension(id, token, longer(time(80)));
	}

	/** In large histories one after the other, so that batches do not repeat many. */
	private String id() {
		if (this.large) {
			this.lastId = chance(2) ? this.random.nextInt(MANY_IDS) : (this.lastId + 1) % MANY_IDS;
			return this.ids.get(this.lastId);
		}
		return this.ids.get(this.random.nextInt(this.ids.size()));
	}

	/** Now and then one that is likely to be over. */
	private String anyId() {
		return (chance(40) && !this.ended.isEmpty()) ? this.ended.get(this.random.nextInt(this.ended.size())) : id();
	}

	private DueTime due() {
		Instant now = this.clock.instant();
		return switch ((this.large && chance(70)) ? 4 : this.random.nextInt(12)) {
			case 0 -> DueTime.at(now.minus(time(100)));
			case 1, 2 -> DueTime.at(now.plus(time(100)));
			case 3 -> DueTime.at(now);
			case 4, 5, 6 -> DueTime.in(Duration.ZERO);
			default -> DueTime.in(longer(time(60)));
		};
	}

	private Duration turn() {
		if (chance(5)) {
			return time(200).negated();
		}
		return time(any(3, 20, 20, 50, 500));
	}

	/**
	 * A time of the scale of this history.
	 * @param bound how long at most, in fiftieths of the scale
	 * @return the time
	 */
	private Duration time(int bound) {
		Duration time = Duration.ofMillis(this.random.nextLong((long) bound * this.scale / 50));
		return (this.exact && chance(50)) ? time.plusNanos(1000L * any(1, 499, 500, 999)) : time;
	}

	/** Seldom for so long that the calendar ends. */
	private Duration longer(Duration time) {
		return chance(99) ? time : any(LONGEST, Duration.ofDays(400), Duration.ofDays(1), Duration.ofSeconds(-1));
	}

	private int limit(int usual) {
		if (this.large) {
			return any(1, 20, 21, 100, 101, TaskStore.MAX_BATCH - 1, TaskStore.MAX_BATCH, TaskStore.MAX_BATCH,
					TaskStore.MAX_BATCH);
		}
		return chance(98) ? 1 + this.random.nextInt(usual)
				: any(0, -1, TaskStore.MAX_BATCH, TaskStore.MAX_BATCH + 1, Integer.MAX_VALUE);
	}

	private byte @Nullable [] failure() {
		return chance(50) ? bytes(1 + this.random.nextInt(5)) : null;
	}

	private byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	/**
	 * Some entries, now and then two of one id.
	 * @param supplier makes up an entry
	 * @param again makes up another of the same id
	 * @param <T> type of the entries
	 * @return the entries
	 */
	private <T> List<T> batch(Supplier<T> supplier, Function<T, T> again) {
		int size = batchSize();
		List<T> batch = new ArrayList<>();
		while (batch.size() < size) {
			boolean repeats = !batch.isEmpty() && chance(this.large ? 1 : 15);
			batch.add(repeats ? again.apply(batch.get(this.random.nextInt(batch.size()))) : supplier.get());
		}
		return List.copyOf(batch);
	}

	private int batchSize() {
		if (this.large) {
			return any(1, 100, 334, TaskStore.MAX_BATCH - 1, TaskStore.MAX_BATCH, TaskStore.MAX_BATCH,
					TaskStore.MAX_BATCH, TaskStore.MAX_BATCH + 1);
		}
		return chance(98) ? 1 + this.random.nextInt(this.mostInBatch) : any(0, 0, TaskStore.MAX_BATCH + 1);
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

	@SafeVarargs
	private <T> T any(T... values) {
		return values[this.random.nextInt(values.length)];
	}

}
