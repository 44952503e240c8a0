package io.github.delayqueue.store.redis;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * The store in Redis 6.2 or later: a single server, Sentinel or Cluster, by Lettuce or
 * Jedis. Every step is one script call. Public for wiring. Thread-safe.
 * <p>
 * Its connections are its own, to the server that the application's factory names: with a
 * command timeout of their own, and in no transaction of the application's.
 */
public class RedisTaskStore implements TaskStore, SmartLifecycle, DisposableBean, AopInfrastructureBean {

	private final RedisConnections connections;

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final ScheduleScripts scheduling;

	private final ClaimScript claiming;

	private final List<Object> roles = new CopyOnWriteArrayList<>();

	private final List<Runnable> lastWords = new CopyOnWriteArrayList<>();

	private volatile BooleanSupplier inUse = () -> false;

	private volatile WakeMessages wakes = (channel, listener) -> () -> {
	};

	/**
	 * Create a store.
	 * @param keyPrefix what all keys begin with, without braces
	 * @param clock read to the microsecond, for tests that turn it; {@code null} for the
	 * server's. All who use a queue have to go by the same clock
	 */
	public RedisTaskStore(RedisConnections connections, String keyPrefix, @Nullable Clock clock) {
		this.keys = new RedisKeys(keyPrefix);
		this.connections = connections;
		this.scripts = new ScriptRunner(connections, this.keys, clock);
		this.scheduling = new ScheduleScripts(this.scripts);
		this.claiming = new ClaimScript(this.scripts);
		Scripts.load();
	}

	/**
	 * Add what a part does: a {@linkplain #role role}, or a step of the store in another
	 * way. Before the store is used.
	 */
	public void add(Object role) {
		this.roles.add(role);
		this.scheduling.add(role);
		if (role instanceof QueueHome home) {
			this.scripts.add(home);
		}
		if (role instanceof WakeMessages messages) {
			this.wakes = messages;
		}
	}

	/** Let a part end what it has begun, before the connections are stopped or closed. */
	public void beforeStop(Runnable lastWord) {
		this.lastWords.add(lastWord);
	}

	/**
	 * Let the connections stay when the store is stopped, until it is destroyed.
	 * @param inUse asked when it is stopped
	 */
	public void stayWhile(BooleanSupplier inUse) {
		this.inUse = inUse;
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return this.scheduling.scheduleAhead(queue, tasks, options);
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		Bounds.requireLimit(request.limit());
		return this.claiming.claim(queue, request, this.scripts.now());
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		Bounds.requireBatch(settlements);
		if (settlements.isEmpty()) {
			return List.of();
		}
		List<Boolean> applied = this.scripts.once(this.scripts.timed(Scripts.SETTLE, queue).addSettlements(settlements),
				Replies.flags(settlements.size()));
		assert PairChecks.settled(settlements, applied);
		return applied;
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		Bounds.requireBatch(extensions);
		ScriptCall call = this.scripts.call(Scripts.EXTEND, queue).add(this.scripts.now());
		extensions.forEach((each) -> call.addId(each.taskId()).add(each.token()).addMillis(each.leaseDuration()));
		return extensions.isEmpty() ? List.of() : this.scripts.once(call, Replies.flags(extensions.size()));
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return this.scripts.run(this.scripts.call(Scripts.CANCEL, queue).addId(taskId).add(condition.generation()),
				Replies::flag);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		ScriptCall call = this.scripts.timed(Scripts.RESCHEDULE, queue).addId(taskId).add(due);
		return this.scripts.run(call.add(condition.generation() + condition.next()), Replies::flag);
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return this.wakes.subscribe(this.keys.key(queue, QueueKey.WAKE), listener);
	}

	@Override
	public <R> @Nullable R role(Class<R> type) {
		for (Object role : this.roles) {
			if (type.isInstance(role)) {
				return type.cast(role);
			}
		}
		return TaskStore.super.role(type);
	}

	@Override
	public void start() {
		this.connections.start();
	}

	@Override
	public void stop() {
		// handlers that still run keep their leases only if others see that they do
		if (!this.inUse.getAsBoolean()) {
			this.lastWords.forEach(Runnable::run);
			this.connections.stop();
		}
	}

	@Override
	public boolean isRunning() {
		return this.connections.isRunning();
	}

	/** Starts before and stops after everything that claims, settles or schedules. */
	@Override
	public int getPhase() {
		return 0;
	}

	@Override
	public void destroy() {
		this.lastWords.forEach(Runnable::run);
		this.connections.close();
	}

	/** Runs scripts of parts that have their own. */
	public ScriptRunner scripts() {
		return this.scripts;
	}

}
