package io.github.delayqueue.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.faults.SuiteSettings;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.WholeStore;

/**
 * The store as one process reaches it. What nothing depends on – traces of instances,
 * names of queues – takes no time.
 */
final class SimulatedStore extends WholeStore {

	/** Longer than a task may wait for what is over. */
	private static final Duration QUIET = Duration.ofSeconds(15);

	/** By then a settlement has been sent. */
	private static final Duration HANDED_BACK = Duration.ofMillis(1);

	private final Network network;

	private final Instance instance;

	private final Set<Subscription> subscriptions = new LinkedHashSet<>();

	/**
	 * Of the queue of which nothing is claimed in advance: what waits for its handler.
	 */
	private final Set<String> held = new LinkedHashSet<>();

	/** Names under which it is counted. */
	private final Set<String> entered = new HashSet<>();

	/** Whose settlement has been answered. */
	private final Set<String> settled = new HashSet<>();

	SimulatedStore(Network network, Instance instance) {
		super(network.reached());
		this.network = network;
		this.instance = instance;
		network.connect(this);
	}

	Instance instance() {
		return this.instance;
	}

	private <T> T call(String what, @Nullable String queue, boolean refusable, boolean doubled,
			@Nullable Object request, Supplier<T> step) {
		TaskLog.Call call = this.network.log()
			.call(this.instance.name(), what, queue, this.instance.isDead() ? null : request,
					this.network::serverMillis);
		@SuppressWarnings("unchecked")
		T result = (T) this.network.call(this.instance, what, queue, refusable, doubled, () -> {
			T brought = step.get();
			call.done(brought);
			return brought;
		});
		call.told(result);
		return result;
	}

	<T> T call(String what, String queue, Supplier<T> step) {
		return call(what, queue, null, step);
	}

	private <T> T call(String what, String queue, @Nullable Object request, Supplier<T> step) {
		return call(what, queue, false, false, request, step);
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		ScheduleReply reply = call("schedule", queue, true, false, tasks,
				() -> super.scheduleAhead(queue, tasks, options).get());
		return () -> reply;
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		if (queue.equals(SuiteSettings.JOBS) && this.held.size() + request.limit() > Settings.CONCURRENCY
				&& this.network.isQuiet(QUIET)) {
			checkHeld(request.limit());
		}
		ClaimResult claimed = call("claim", queue, false, true, request, () -> super.claim(queue, request));
		if (queue.equals(SuiteSettings.JOBS)) {
			claimed.tasks().forEach((task) -> this.held.add(task.id()));
		}
		return claimed;
	}

	@Override
	public Tended tend(String partition, Retention retention) {
		return call("tend", partition, () -> super.tend(partition, retention));
	}

	@Override
	public Map<String, String> claimedWith(String queue, Set<String> tokens) {
		Map<String, String> found = new TreeMap<>();
		// tokens are others in each run, and are not for the log
		call("claimed", queue, () -> {
			found.putAll(super.claimedWith(queue, tokens));
			return found.size();
		});
		return found;
	}

	/** What is just being released does not count. */
	private void checkHeld(int limit) {
		Set<String> held = new LinkedHashSet<>(this.held);
		this.instance.timeline().after(HANDED_BACK, this.instance, () -> {
			held.retainAll(this.held);
			if (held.size() + limit > Settings.CONCURRENCY) {
				violation("held", "Claimed " + limit + " tasks for " + Settings.CONCURRENCY + " workers with " + held);
			}
		});
	}

	/** A handler has ended. */
	void handled(String taskId) {
		this.held.remove(taskId);
	}

	private void violation(String rule, String text) {
		this.instance.log().write("violation", rule, text);
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		settlements.forEach((settlement) -> this.held.remove(settlement.taskId()));
		List<Boolean> applied = call("settle", queue, false, true, settlements,
				() -> inOrder(settlements, (settlement) -> settlement.taskId() + " " + settlement.token(),
						(ordered) -> super.settle(queue, ordered)));
		settlements.forEach((settlement) -> this.settled.add(settlement.taskId() + " " + settlement.token()));
		return applied;
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		for (Extension extension : extensions) {
			if (this.settled.contains(extension.taskId() + " " + extension.token())) {
				violation("extended", "The lease of " + extension.taskId() + " is extended, which is settled");
			}
		}
		return call("extend", queue, false, true, extensions,
				() -> inOrder(extensions, (extension) -> extension.taskId() + " " + extension.token(),
						(ordered) -> super.extend(queue, ordered)));
	}

	/**
	 * In the order of ids and tokens: some come from sets of objects, whose order is
	 * another one in each run.
	 */
	private static <S> List<Boolean> inOrder(List<S> steps, Function<S, String> id,
			Function<List<S>, List<Boolean>> call) {
		List<Integer> order = IntStream.range(0, steps.size())
			.boxed()
			.sorted(Comparator.comparing((index) -> id.apply(steps.get(index))))
			.toList();
		List<Boolean> applied = call.apply(order.stream().map(steps::get).toList());
		List<Boolean> inTheirs = new ArrayList<>(applied);
		for (int i = 0; i < applied.size(); i++) {
			inTheirs.set(order.get(i), applied.get(i));
		}
		return inTheirs;
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return call("cancel", queue, taskId, () -> super.cancel(queue, taskId, condition));
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return call("reschedule", queue, taskId, () -> super.reschedule(queue, taskId, due, condition));
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		return call("redrive", queue, taskIds, () -> super.redrive(queue, taskIds, due));
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		return call("purge", queue, () -> super.purge(queue, state, limit));
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		return call("purge", queue, () -> super.purge(queue, state, generations, until));
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return call("find", queue, () -> super.find(queue, taskId));
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		return call("list", queue, () -> super.list(queue, state, offset, limit, contents));
	}

	@Override
	public QueueStats stats(String queue) {
		return call("stats", queue, () -> super.stats(queue));
	}

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return call("beat", partition, () -> super.beat(partition, known, incarnation));
	}

	/** Takes no time: who comes to an agreement holds a lock. */
	@Override
	public String learn(String partition, String number, boolean fresh) {
		if (this.instance.isDead()) {
			throw new Death();
		}
		return this.network.store().requireRole(SourceNumbers.class).learn(partition, number, fresh);
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		Subscription subscription = new Subscription(listener);
		subscription.behind = super.subscribe(queue, subscription);
		this.subscriptions.add(subscription);
		return subscription;
	}

	/** Be counted under a name, which takes a message. */
	WakeSubscription enter(String name, WakeListener listener) {
		Subscription subscription = new Subscription(listener);
		this.subscriptions.add(subscription);
		this.entered.add(name);
		subscription.wake(Duration.ZERO);
		return () -> {
			this.entered.remove(name);
			subscription.close();
		};
	}

	Set<String> entered() {
		return this.instance.isDead() ? Set.of() : this.entered;
	}

	/** Messages come again. */
	void connected() {
		new ArrayList<>(this.subscriptions).forEach((subscription) -> subscription.wake(Duration.ZERO));
	}

	/** The process is dead: no messages come any more. */
	void close() {
		this.network.log().trace(this.instance.name(), TaskLog.DIED);
		new ArrayList<>(this.subscriptions).forEach(Subscription::close);
	}

	/**
	 * Passes messages on as fast as the network does.
	 */
	private final class Subscription implements WakeSubscription, WakeListener {

		private final WakeListener listener;

		private @Nullable WakeSubscription behind;

		private Subscription(WakeListener listener) {
			this.listener = listener;
		}

		@Override
		public void wake(Duration in) {
			pass(() -> this.listener.wake(in));
		}

		@Override
		public void withdrawn() {
			pass(this.listener::withdrawn);
		}

		private void pass(Runnable message) {
			SimulatedStore store = SimulatedStore.this;
			if (store.network.carriesMessages(store.instance)) {
				store.instance.timeline().after(store.network.latency(), store.instance, () -> {
					if (store.subscriptions.contains(this)) {
						message.run();
					}
				});
			}
		}

		@Override
		public void close() {
			SimulatedStore.this.subscriptions.remove(this);
			if (this.behind != null) {
				this.behind.close();
			}
		}

	}

}
