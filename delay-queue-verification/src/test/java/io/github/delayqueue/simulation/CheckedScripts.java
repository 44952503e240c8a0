package io.github.delayqueue.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.roles.ClaimedTokens;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.SourceStore;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.ValueText;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.store.memory.DueOrder;

/**
 * The scripts in a real Redis, and the store in memory as their oracle: each step is done
 * by both, which have to give the same answer and the same wake messages. Processes get
 * those of Redis. When the two have parted ways, Redis goes on alone.
 */
final class CheckedScripts implements InvocationHandler {

	private static final Class<?>[] ROLES = { SourceStore.class, QueueView.class, QueueControl.class,
			ClaimedTokens.class, InstanceTraces.class };

	/** Steps by which consumers may be woken. */
	private static final Set<String> WAKING = Set.of("schedule", "scheduleAhead", "settle", "cancel", "reschedule",
			"redrive");

	/** Nothing depends on them. */
	private static final Set<String> TRACES = Set.of("attend", "attendance", "announce", "queues");

	/** As claims answer: what lies further ahead is known only roughly. */
	private static final Duration DAY = Duration.ofDays(1);

	private final TurnedRedis redis;

	private final WholeStore scripts;

	private final WholeStore model;

	private final Clock clock;

	private final Consumer<String> complaints;

	private final Map<String, List<WakeListener>> listeners = new LinkedHashMap<>();

	private final List<Wake> wakes = new ArrayList<>();

	private final List<Wake> expectedWakes = new ArrayList<>();

	private List<String> claimed = List.of();

	/** By source and id, with what it was claimed last. */
	private final Map<String, Map<String, String>> tokens = new HashMap<>();

	private boolean full;

	private boolean parted;

	/**
	 * Create a store.
	 * @param memory the oracle
	 * @param clock of both
	 * @param complaints hears that they differ
	 */
	CheckedScripts(TurnedRedis redis, TaskStore memory, Clock clock, Consumer<String> complaints) {
		this.redis = redis;
		this.scripts = new WholeStore(redis.store());
		this.model = new WholeStore(memory);
		this.clock = clock;
		this.complaints = complaints;
	}

	/** A wake message, or without a time one that tasks were withdrawn. */
	private record Wake(String queue, @Nullable Duration in) {

		private void tell(WakeListener listener) {
			if (this.in != null) {
				listener.wake(this.in);
			}
			else {
				listener.withdrawn();
			}
		}

		private String text() {
			return this.queue + " in " + ((this.in != null && this.in.compareTo(DAY) > 0) ? DAY : this.in);
		}

	}

	private record Heard(String queue, List<Wake> wakes) implements WakeListener {

		@Override
		public void wake(Duration in) {
			this.wakes.add(new Wake(this.queue, in));
		}

		@Override
		public void withdrawn() {
			this.wakes.add(new Wake(this.queue, null));
		}

	}

	/** What a store has answered. */
	private record Answer(@Nullable Object value, @Nullable Throwable error) {

		String text() {
			Object text = (this.value instanceof Optional<?> found) ? found.orElse(null) : this.value;
			return (this.error != null) ? "throws " + this.error.getClass().getSimpleName() : ValueText.of(text);
		}

	}

	/** The store that does each step in both. */
	TaskStore store() {
		return (TaskStore) Proxy.newProxyInstance(getClass().getClassLoader(), ROLES, this);
	}

	/** Which tasks the oracle takes: those that Redis has taken. */
	DueOrder turns() {
		return (due, failed, inFlight, limit, now) -> {
			Map<String, StoredTask> byId = due.stream().collect(Collectors.toMap(StoredTask::id, Function.identity()));
			return this.claimed.stream().map(byId::get).filter(Objects::nonNull).toList();
		};
	}

	/** Whether each task is in one place. */
	void check() {
		for (String source : this.listeners.keySet()) {
			List<?> findings = this.redis.check(source);
			if (!findings.isEmpty()) {
				complain("check: " + source + " has " + findings);
			}
		}
	}

	/** Ask Redis alone. */
	<T> T holders(Function<LeaseHolders, T> step) {
		this.redis.turn(this.clock.instant());
		return step.apply(this.redis.store().requireRole(LeaseHolders.class));
	}

	/**
	 * End the leases of an instance that is gone. The oracle knows them by their tokens.
	 */
	int takeOver(String source, String name) {
		this.wakes.clear();
		int leases = holders((holders) -> holders.takeOver(source, name));
		this.redis.hear();
		if (!this.parted) {
			Map<String, String> tokens = this.tokens.getOrDefault(source, Map.of());
			List<Extension> ended = this.model.list(source, TaskState.IN_FLIGHT, 0, TaskStore.MAX_BATCH, Contents.NONE)
				.stream()
				.filter((task) -> task.at().isAfter(this.clock.instant()) && tokens.get(task.id()).startsWith(name))
				.map((task) -> new Extension(task.id(), tokens.get(task.id()), Duration.ZERO))
				.toList();
			this.model.extend(source, ended);
			differ("takeover", source, leases + texts(this.wakes),
					ended.size() + texts(ended.isEmpty() ? List.of() : List.of(new Wake(source, Duration.ZERO))));
		}
		deliver();
		return leases;
	}

	/** Take a step when there is no memory left. */
	<T> T whileFull(Supplier<T> step) {
		this.redis.setFull(true);
		this.full = true;
		try {
			return step.get();
		}
		finally {
			this.full = false;
			this.redis.setFull(false);
		}
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		String step = method.getName();
		if (step.equals("role") || step.equals("requireRole")) {
			return ((Class<?>) arguments[0]).isInstance(proxy) ? proxy : null;
		}
		if (step.equals("subscribe")) {
			return subscribe((String) arguments[0], (WakeListener) arguments[1]);
		}
		if (TRACES.contains(step) || method.getDeclaringClass() == Object.class) {
			return method.invoke(this.model, arguments);
		}
		boolean interrupted = Thread.interrupted();
		try {
			return inBoth(method, arguments);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private WakeSubscription subscribe(String source, WakeListener listener) {
		List<WakeListener> all = this.listeners.computeIfAbsent(source, (name) -> {
			this.redis.store().subscribe(name, new Heard(name, this.wakes));
			this.model.subscribe(name, new Heard(name, this.expectedWakes));
			return new CopyOnWriteArrayList<>();
		});
		all.add(listener);
		return () -> all.remove(listener);
	}

	private @Nullable Object inBoth(Method method, Object[] arguments) throws Throwable {
		this.wakes.clear();
		this.expectedWakes.clear();
		this.redis.turn(this.clock.instant());
		Answer answer = answer(this.scripts, method, arguments);
		if (WAKING.contains(method.getName())) {
			this.redis.hear();
		}
		if (this.full && answer.error() != null) {
			if (!this.wakes.isEmpty()) {
				complain("wake-before-write: " + method.getName() + " was refused and has published " + this.wakes);
			}
		}
		else if (!this.parted) {
			this.claimed = List.of();
			if (answer.value() instanceof ClaimResult claim) {
				this.claimed = claim.tasks().stream().map(ClaimedRecord::id).toList();
				Map<String, String> held = this.tokens.computeIfAbsent((String) arguments[0],
						(name) -> new HashMap<>());
				this.claimed.forEach((id) -> held.put(id, ((ClaimRequest) arguments[1]).token()));
			}
			compare(method.getName(), (String) arguments[0], answer, answer(this.model, method, arguments));
		}
		deliver();
		if (answer.error() != null) {
			throw answer.error();
		}
		return answer.value();
	}

	private void deliver() {
		for (Wake wake : List.copyOf(this.wakes)) {
			this.listeners.getOrDefault(wake.queue(), List.of()).forEach(wake::tell);
		}
	}

	private static Answer answer(WholeStore store, Method method, Object[] arguments) {
		try {
			Object value = method.invoke(store, arguments);
			return new Answer((value instanceof Supplier<?> later) ? later.get() : value, null);
		}
		catch (InvocationTargetException ex) {
			return new Answer(null, ex.getCause());
		}
		catch (IllegalAccessException | RuntimeException ex) {
			return new Answer(null, ex);
		}
	}

	private void compare(String step, String queue, Answer answer, Answer expected) {
		boolean grouped = Settings.of(queue).get(GroupedQueues.ENABLED);
		Answer comparable = comparable(answer, expected, grouped);
		if (!Objects.equals(comparable.value(), expected.value()) || comparable.error() != null) {
			differ(step, queue, comparable.text(), expected.text());
		}
		if (!grouped) {
			differ(step, queue, texts(this.wakes), texts(this.expectedWakes));
		}
	}

	/**
	 * The oracle knows no instances, and not which group is full: so not when to look
	 * again.
	 */
	private static Answer comparable(Answer answer, Answer expected, boolean grouped) {
		if (answer.value() instanceof ClaimResult its && expected.value() instanceof ClaimResult model) {
			boolean inTime = grouped && (its.wakeIn() != null || model.wakeIn() == null);
			ClaimNotes notes = its.notes();
			return new Answer(new ClaimResult(its.tasks(), its.now(), inTime ? model.wakeIn() : its.wakeIn(),
					its.paused(), new ClaimNotes(notes.orphans(), notes.leaves(), List.of(), notes.untended())), null);
		}
		return answer;
	}

	private static String texts(List<Wake> wakes) {
		return wakes.stream().map(Wake::text).toList().toString();
	}

	private void differ(String step, String queue, String text, String expected) {
		if (!text.equals(expected) && !this.parted) {
			complain("differs: " + step + " of " + queue + " is " + text + " and not " + expected);
			this.parted = true;
		}
	}

	private void complain(String complaint) {
		this.complaints.accept(complaint.replace('\n', ' '));
	}

}
