package io.github.delayqueue.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.faults.FaultKind;
import io.github.delayqueue.faults.SuiteSettings;
import io.github.delayqueue.groups.Fairness;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.simulation.Instance.SimulatedClock;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.DueOrder;
import io.github.delayqueue.store.memory.GroupTurns;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.store.memory.StoreCopy;

/**
 * Redis, and the way there: calls take time, and faults are inflicted on them.
 */
final class Network {

	static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private static final int QUICK_MICROS = 2000;

	private static final int SLOW_MILLIS = 1500;

	private static final Duration REFUSED_AFTER = Duration.ofMillis(2);

	private final Timeline timeline;

	private final Random random;

	private final SimulationLog log;

	private final InMemoryTaskStore memory;

	/** Where they are run. */
	private final @Nullable TurnedRedis redis;

	private final @Nullable CheckedScripts scripts;

	private final TaskStore store;

	private final TaskStore reached;

	/** By kind, which faults there are at present. */
	private final Map<FaultKind, Integer> faults = new HashMap<>();

	private final Set<String> cutOff = new HashSet<>();

	private final Set<StoreCall> underWay = new LinkedHashSet<>();

	private final Set<SimulatedStore> stores = new LinkedHashSet<>();

	/** By slot, what is to happen when it has next claimed something. */
	private final Map<String, Runnable> traps = new HashMap<>();

	private Duration clockOffset = Duration.ZERO;

	private int troubles;

	private long troubleUntil;

	/**
	 * Create an empty Redis.
	 * @param redis what runs the scripts, {@code null} if the store in memory stands for
	 * it
	 * @param defect what is wrong with it, nothing usually
	 */
	Network(Timeline timeline, Random random, SimulationLog log, @Nullable TurnedRedis redis,
			UnaryOperator<TaskStore> defect) {
		this.timeline = timeline;
		this.random = random;
		this.log = log;
		SimulatedClock clock = new SimulatedClock(this::serverTime);
		this.memory = new InMemoryTaskStore(clock);
		this.redis = redis;
		this.scripts = (redis != null) ? new CheckedScripts(redis, this.memory, clock, this::complain) : null;
		this.store = (this.scripts != null) ? this.scripts.store() : this.memory;
		GroupedQueues groups = new GroupedQueues(Settings::of);
		this.memory.setOrders((queue) -> watched(groups, queue));
		this.reached = defect.apply(this.store);
	}

	private @Nullable DueOrder watched(GroupedQueues groups, String queue) {
		DueOrder turns = (this.scripts != null) ? this.scripts.turns() : GroupTurns.of(groups, queue);
		return (turns != null && groups.owns(queue))
				? new WatchedTurns(turns, new Fairness(groups, queue, SuiteSettings.GROUPS), this::complain) : null;
	}

	private void complain(String complaint) {
		this.log.add("redis", "violation " + this.timeline.millis() + " " + complaint);
	}

	/** Redis counts microseconds. */
	private Instant serverTime() {
		return this.timeline.instant().plus(this.clockOffset).truncatedTo(ChronoUnit.MICROS);
	}

	/** What the clock of Redis shows. */
	long serverMillis() {
		return serverTime().toEpochMilli();
	}

	SimulationLog log() {
		return this.log;
	}

	TaskStore store() {
		return this.store;
	}

	/** The store as processes reach it. */
	TaskStore reached() {
		return this.reached;
	}

	/** Look into Redis, if it runs the scripts. */
	void check() {
		if (this.scripts != null) {
			this.scripts.check();
		}
	}

	/**
	 * What the store is now, or was with nothing in it.
	 * @return lets it become that
	 */
	Runnable copy(boolean empty) {
		StoreCopy copy = StoreCopy.of(empty ? new InMemoryTaskStore(Clock.systemUTC()) : this.memory);
		Runnable inRedis = (this.redis != null) ? this.redis.copy(empty) : () -> {
		};
		return () -> {
			copy.restore(this.memory);
			inRedis.run();
			cut();
		};
	}

	/** Who is connected, by the names under which they are counted. */
	Set<String> entered() {
		return this.stores.stream().flatMap((store) -> store.entered().stream()).collect(Collectors.toSet());
	}

	@Nullable CheckedScripts scripts() {
		return this.scripts;
	}

	/** A process has connected. */
	void connect(SimulatedStore store) {
		this.stores.removeIf((other) -> other.instance().isDead());
		this.stores.add(store);
	}

	/** A fault of any kind begins or ends. */
	void trouble(int more) {
		this.troubles += more;
		this.troubleUntil = this.timeline.now();
	}

	/** Whether there has been no fault for a while. */
	boolean isQuiet(Duration time) {
		return this.troubles == 0 && this.timeline.now() - this.troubleUntil >= time.toNanos();
	}

	/**
	 * Let something happen just after an instance has claimed something.
	 * @param latest after what time in any case
	 */
	void trap(String slot, Duration latest, Runnable step) {
		if (this.traps.putIfAbsent(slot, step) != null) {
			step.run();
			return;
		}
		this.timeline.after(latest, null, () -> {
			if (this.traps.remove(slot, step)) {
				step.run();
			}
		});
	}

	void begin(FaultKind kind) {
		this.faults.merge(kind, 1, Integer::sum);
	}

	/** Who listens for messages may have missed some, and is told so. */
	void end(FaultKind kind) {
		this.faults.merge(kind, -1, Integer::sum);
		if (kind == FaultKind.REDIS_KILLED || kind == FaultKind.CONNECTIONS_CUT) {
			this.stores.forEach(SimulatedStore::connected);
		}
	}

	boolean has(FaultKind kind) {
		return this.faults.getOrDefault(kind, 0) > 0;
	}

	void cutOff(String slot) {
		this.cutOff.add(slot);
	}

	void connectAgain(String slot) {
		this.cutOff.remove(slot);
		this.stores.stream().filter((store) -> store.instance().slot().equals(slot)).forEach(SimulatedStore::connected);
	}

	void setClockOffset(Duration offset) {
		this.clockOffset = offset;
	}

	/** Break every connection. */
	void cut() {
		List.copyOf(this.underWay).forEach(StoreCall::breakOff);
	}

	private boolean isCutOff(Instance instance) {
		return this.cutOff.contains(instance.slot());
	}

	private boolean isDown() {
		return has(FaultKind.REDIS_KILLED) || has(FaultKind.CONNECTIONS_CUT);
	}

	/** How long a message takes on its way. */
	Duration latency() {
		return has(FaultKind.CONNECTIONS_DELAYED) ? Duration.ofMillis(this.random.nextInt(SLOW_MILLIS))
				: Duration.ofNanos(1000L * (100 + this.random.nextInt(QUICK_MICROS)));
	}

	/** Whether a message to listeners gets through. */
	boolean carriesMessages(Instance instance) {
		return !has(FaultKind.MESSAGES_LOST) && !isDown() && !isCutOff(instance);
	}

	/**
	 * Make a call, and wait for the answer.
	 * @param what what is called
	 * @param refusable whether it needs memory
	 * @param doubled whether it may be carried out twice, as a driver sends again what
	 * was not answered when a connection broke
	 */
	@Nullable Object call(Instance caller, String what, @Nullable String queue, boolean refusable, boolean doubled,
			Supplier<?> step) {
		if (caller.isDead()) {
			throw new Death();
		}
		if (refusable && has(FaultKind.MEMORY_FULL)) {
			if (this.scripts != null) {
				return this.scripts.whileFull(step);
			}
			throw new DelayQueueException(queue, null, "Redis has no memory left (a fault of the simulation)", null);
		}
		if (this.timeline.isNested()) {
			if (isDown() || isCutOff(caller) || has(FaultKind.CALLS_REFUSED)) {
				throw unreachable(queue);
			}
			return step.get();
		}
		if (isDown()) {
			this.timeline.sleep(REFUSED_AFTER);
			throw unreachable(queue);
		}
		boolean again = doubled && has(FaultKind.CALLS_DOUBLED) && this.random.nextBoolean();
		StoreCall call = new StoreCall(caller, what, queue, what.equals("claim"), again ? 2 : 1, step);
		this.underWay.add(call);
		try {
			send(call, latency());
			if (again) {
				send(call, latency().plusMillis(this.random.nextInt((int) COMMAND_TIMEOUT.toMillis())));
			}
			return call.await(COMMAND_TIMEOUT);
		}
		finally {
			this.underWay.remove(call);
		}
	}

	private static StoreUnavailableException unreachable(@Nullable String queue) {
		return new StoreUnavailableException(queue, null, "Redis cannot be reached (a fault of the simulation)", null);
	}

	private void send(StoreCall call, Duration latency) {
		if (!isCutOff(call.caller())) {
			this.timeline.after(latency, null, () -> arrive(call));
		}
	}

	private void arrive(StoreCall call) {
		if (has(FaultKind.REDIS_STOPPED)) {
			this.timeline.after(Duration.ofMillis(1 + this.random.nextInt(100)), null, () -> arrive(call));
			return;
		}
		// whose caller has given up takes nothing
		boolean late = call.isClaim() && call.age().compareTo(COMMAND_TIMEOUT) > 0;
		if (isDown() || isCutOff(call.caller()) || late || call.isRefused()) {
			return;
		}
		if (has(FaultKind.CALLS_REFUSED)) {
			call.refuse(latency());
			return;
		}
		boolean last = call.carryOut();
		if (this.log.isComplete()) {
			this.log.trace(call.caller().name(), this.timeline.now() + " " + call.description());
		}
		Runnable trap = call.hasTaken() ? this.traps.remove(call.caller().slot()) : null;
		if (trap != null) {
			this.timeline.after(latency(), null, trap);
		}
		if (last && !has(FaultKind.REPLIES_CUT)) {
			call.answer(latency());
		}
	}

}
