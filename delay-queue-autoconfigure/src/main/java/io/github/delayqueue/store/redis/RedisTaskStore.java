package io.github.delayqueue.store.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.Generation;
import io.github.delayqueue.store.IndexPlaces;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartitionCounts;
import io.github.delayqueue.store.PartitionState;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.ReplicatedSchedule;
import io.github.delayqueue.store.ScheduleOutcome;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisKeys.Part;

/**
 * The store in Redis 6.2 or later: a single server, Sentinel or Cluster, by Lettuce or
 * Jedis. Every step is one script call. Public for wiring. Thread-safe.
 * <p>
 * Connections are its own, to the server that the application's connection factory names,
 * so that a command time-out of its own holds and no transaction of the application's
 * connections gets in the way.
 */
public class RedisTaskStore implements PartitionStore, SmartLifecycle, DisposableBean {

	private final OwnConnections connections;

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final ScheduleScripts scheduling;

	private final WakeChannel wakeChannel;

	private final ClaimDeadlines claimDeadlines;

	private final @Nullable Clock clock;

	/**
	 * Create a store.
	 * @param applicationFactory names the server
	 * @param keyPrefix what all keys begin with, without braces
	 * @param commandTimeout how long to wait for an answer
	 */
	public RedisTaskStore(RedisConnectionFactory applicationFactory, String keyPrefix, Duration commandTimeout) {
		this(applicationFactory, keyPrefix, commandTimeout, null);
	}

	/**
	 * Create a store for tests, with a clock to turn instead of the server's. All who use
	 * a queue have to go by the same clock.
	 * @param applicationFactory names the server
	 * @param keyPrefix what all keys begin with, without braces
	 * @param commandTimeout how long to wait for an answer
	 * @param clock read to the microsecond, {@code null} for the server's
	 */
	public RedisTaskStore(RedisConnectionFactory applicationFactory, String keyPrefix, Duration commandTimeout,
			@Nullable Clock clock) {
		this.keys = new RedisKeys(keyPrefix);
		this.connections = new OwnConnections(applicationFactory, commandTimeout);
		this.scripts = new ScriptRunner(this.connections, commandTimeout);
		this.scheduling = new ScheduleScripts(this.keys, this.scripts,
				new ReplicatedScripts(this.connections, this.scripts, commandTimeout), this::timed, commandTimeout);
		this.wakeChannel = new WakeChannel(this.connections.subscriptions());
		this.claimDeadlines = new ClaimDeadlines(this.connections.answerTimeout());
		this.connections.onRecovery(this.wakeChannel::renew);
		this.clock = clock;
	}

	@Override
	public boolean isSerial(String queue) {
		return true;
	}

	@Override
	public List<ScheduleOutcome> schedule(String queue, PartitionCounts counts, List<NewTask> tasks) {
		return this.scheduling.schedule(queue, counts, tasks);
	}

	@Override
	public Supplier<List<ScheduleOutcome>> scheduleAhead(String queue, PartitionCounts counts, List<NewTask> tasks) {
		return this.scheduling.scheduleAhead(queue, counts, tasks);
	}

	@Override
	public ReplicatedSchedule scheduleReplicated(String queue, PartitionCounts counts, List<NewTask> tasks,
			int minReplicas) {
		return this.scheduling.scheduleReplicated(queue, counts, tasks, minReplicas);
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		Bounds.requireLimit(request.limit());
		List<?> reply = claimInTime(queue, request);
		if (Replies.isTooLate(reply)) {
			// we are still here: the server's clock has been changed, or its last answer
			// was slow
			reply = claimInTime(queue, request);
		}
		if (Replies.isTooLate(reply)) {
			throw new DelayQueueException(queue, null, "Could not claim from queue '" + queue
					+ "': the server's clock runs ahead of what it said a moment ago. Nothing was claimed");
		}
		return Replies.read(Script.CLAIM.stepName(), queue, reply, Replies::claim);
	}

	private List<?> claimInTime(String queue, ClaimRequest request) {
		long sentAt = System.nanoTime();
		Arguments arguments = new Arguments().add(now())
			.add(request.token())
			.add(request.limit())
			.add(request.expiredLimit())
			.addMillis(request.ttr())
			.add(request.maxBytes())
			.add(request.oldestFirst() ? "1" : "0")
			.addMillis(request.retention().completed())
			.addMillis(request.retention().dead())
			.add((request.retention().deadMaxSize() != null) ? request.retention().deadMaxSize().toString() : "")
			.add((this.clock != null) ? "" : this.claimDeadlines.deadline(queue, sentAt));
		addLimits(arguments, request.limits(), request.lastChance());
		List<?> reply = once(Script.CLAIM, queue, arguments, Function.identity());
		this.claimDeadlines.learn(queue, System.nanoTime(),
				Replies.read(Script.CLAIM.stepName(), queue, reply, Replies::number));
		return reply;
	}

	/** Nothing is said of what is not limited. */
	private static void addLimits(Arguments arguments, FlowLimits limits, ClaimRequest.@Nullable LastChance last) {
		RateLimit rate = limits.rate();
		if (limits.inFlight() != null || rate != null || last != null) {
			arguments.add((limits.inFlight() != null) ? limits.inFlight().toString() : "");
		}
		if (rate != null) {
			arguments.add(rate.tasks()).add(TimeUnit.MILLISECONDS.toMicros(rate.period().toMillis()));
		}
		else if (last != null) {
			arguments.add("").add("");
		}
		if (last != null) {
			arguments.add(last.maxExpiries()).add(last.takes() ? "1" : "0");
		}
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		Bounds.requireBatch(settlements);
		Arguments arguments = timed(queue);
		for (int i = 0; i < settlements.size();) {
			Settlement first = settlements.get(i);
			int end = i + 1;
			while (end < settlements.size() && first.endsLike(settlements.get(end))) {
				end++;
			}
			arguments.add(first.token())
				.add(action(first.action()))
				.add(first.countFailure() ? "1" : "0")
				.add(time(first))
				.add((first.failure() != null) ? first.failure() : new byte[0])
				.add(end - i);
			for (; i < end; i++) {
				arguments.addId(settlements.get(i).taskId());
			}
		}
		return settlements.isEmpty() ? List.of()
				: once(Script.SETTLE, queue, arguments, Replies.flags(settlements.size()));
	}

	private static String time(Settlement settlement) {
		if (settlement.next() != null) {
			return Long.toString(DueTime.at(settlement.next()).millis());
		}
		if (settlement.delay() == null) {
			return "";
		}
		String millis = Long.toString(DueTime.in(settlement.delay()).millis());
		return (settlement.action() == Settlement.Action.REPEAT) ? "+" + millis : millis;
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		Bounds.requireBatch(extensions);
		Arguments arguments = new Arguments().add(now());
		for (Extension extension : extensions) {
			arguments.addId(extension.taskId()).add(extension.token()).addMillis(extension.ttr());
		}
		return extensions.isEmpty() ? List.of()
				: once(Script.EXTEND, queue, arguments, Replies.flags(extensions.size()));
	}

	@Override
	public boolean cancel(String queue, PartitionCounts counts, String taskId) {
		return run(Script.CANCEL, queue, new Arguments().addId(taskId).add(counts.text()), Replies::flag);
	}

	@Override
	public boolean cancel(String queue, PartitionCounts counts, String taskId, long generation) {
		Arguments arguments = new Arguments().addId(taskId).add(counts.text()).add(Generation.text(generation));
		return run(Script.CANCEL, queue, arguments, Replies::flag);
	}

	@Override
	public boolean reschedule(String queue, PartitionCounts counts, String taskId, DueTime due) {
		Arguments arguments = timed(queue).add(counts.text()).addId(taskId).add(due);
		return run(Script.RESCHEDULE, queue, arguments, Replies::flag);
	}

	@Override
	public boolean reschedule(String queue, PartitionCounts counts, String taskId, DueTime due, long expected,
			long generation) {
		Arguments arguments = timed(queue).add(counts.text())
			.addId(taskId)
			.add(due)
			.add(Generation.text(expected) + Generation.text(generation));
		return run(Script.RESCHEDULE, queue, arguments, Replies::flag);
	}

	@Override
	public List<Boolean> redrive(String queue, PartitionCounts counts, List<String> taskIds) {
		Bounds.requireBatch(taskIds);
		Arguments arguments = timed(queue).add(counts.text());
		taskIds.forEach(arguments::addId);
		return taskIds.isEmpty() ? List.of() : run(Script.REDRIVE, queue, arguments, Replies.flags(taskIds.size()));
	}

	@Override
	public List<Boolean> contains(String partition, List<String> taskIds) {
		return former("look", partition, taskIds);
	}

	@Override
	public List<Boolean> displace(String partition, List<String> taskIds) {
		return former("remove", partition, taskIds);
	}

	private List<Boolean> former(String action, String partition, List<String> taskIds) {
		Bounds.requireBatch(taskIds);
		Arguments arguments = new Arguments().add(action);
		taskIds.forEach(arguments::addId);
		return taskIds.isEmpty() ? List.of()
				: run(Script.DISPLACE, partition, arguments, Replies.flags(taskIds.size()));
	}

	@Override
	public List<Boolean> containsNewer(String partition, List<NewTask> tasks) {
		return formerByGeneration("newer", partition, tasks);
	}

	@Override
	public List<Boolean> displaceOlder(String partition, List<NewTask> tasks) {
		return formerByGeneration("older", partition, tasks);
	}

	private List<Boolean> formerByGeneration(String action, String partition, List<NewTask> tasks) {
		Bounds.requireBatch(tasks);
		Arguments arguments = new Arguments().add(action);
		for (NewTask task : tasks) {
			OptionalLong generation = Generation.of(task.envelope());
			arguments.addId(task.id()).add(generation.isPresent() ? Generation.text(generation.getAsLong()) : "");
		}
		return tasks.isEmpty() ? List.of() : run(Script.DISPLACE, partition, arguments, Replies.flags(tasks.size()));
	}

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return once(Script.BEAT, partition,
				new Arguments().add(Epoch.requireIncarnation(incarnation)).add(known.incarnation()).add(known.beat()),
				Replies::epoch);
	}

	@Override
	public PartitionState learn(String partition, PartitionCounts counts, boolean paused) {
		boolean first = partition.equals(Partitions.queue(partition));
		return run(Script.PARTITIONS, partition,
				new Arguments().add(counts.text()).add(first ? "1" : "0").add(paused ? "1" : "0"), Replies::partition);
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		Bounds.requireLimit(limit);
		Script script = switch (state) {
			case DEAD -> Script.PURGE_DEAD;
			case COMPLETED -> Script.PURGE_COMPLETED;
			default -> throw new IllegalArgumentException("Only DEAD and COMPLETED tasks can be purged, not " + state);
		};
		return run(script, queue, new Arguments().add(name(state)).add(limit), Replies::number);
	}

	@Override
	public long purge(String queue, Map<String, Long> generations) {
		Bounds.requireBatch(generations.keySet());
		List<String> ids = List.copyOf(generations.keySet());
		long left = ids.size();
		long purged = 0;
		while (left > 0) {
			Arguments arguments = new Arguments().add(name(TaskState.DEAD)).add(left);
			for (String id : ids.subList(0, (int) left)) {
				arguments.addId(id).add(Generation.text(generations.get(id)));
			}
			long before = left;
			Replies.Purged step = run(Script.PURGE_DEAD, queue, arguments, Replies::purged);
			purged += step.tasks();
			// whatever the reply says, this ends
			left = Math.min(step.left(), before - 1);
		}
		return purged;
	}

	@Override
	public long clear(String queue) {
		return run(Script.CLEAR, queue, new Arguments(), Replies::number);
	}

	@Override
	public boolean forget(String queue) {
		this.scripts.persistently("forget", queue, true,
				() -> this.scripts.template().opsForSet().remove(this.keys.names(), bytes(queue)));
		boolean forgotten = run(Script.FORGET, queue, new Arguments(), Replies::flag);
		if (!forgotten) {
			announce(queue);
		}
		return forgotten;
	}

	@Override
	public void pause(String queue) {
		run(Script.PAUSE, queue, new Arguments(), Function.identity());
	}

	@Override
	public void resume(String queue) {
		run(Script.RESUME, queue, timed(queue), Function.identity());
	}

	@Override
	public Optional<StoredTask> find(String queue, PartitionCounts counts, String taskId) {
		Arguments arguments = new Arguments().add("any").addId(taskId).add(counts.text());
		return run(Script.LIST, queue, arguments, Replies::tasks).stream().findFirst();
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, boolean envelopes) {
		return list(queue, state, offset, limit, envelopes ? "" : "0");
	}

	@Override
	public List<StoredTask> glance(String queue, TaskState state, int offset, int limit) {
		return list(queue, state, offset, limit, String.valueOf(SMALL_ENVELOPE));
	}

	private List<StoredTask> list(String queue, TaskState state, int offset, int limit, String mostBytes) {
		Bounds.requireLimit(limit);
		return run(Script.LIST, queue, new Arguments().add(name(state)).add(offset).add(limit).add(mostBytes),
				Replies::tasks);
	}

	@Override
	public List<IndexPlaces> places(String partition, TaskState state, List<Integer> skipped, List<Integer> places) {
		Arguments arguments = new Arguments().add("places").add(name(state));
		skipped.forEach(arguments::add);
		places.forEach(arguments::add);
		return run(Script.LIST, partition, arguments, Replies.places(state, skipped.size(), places.size()));
	}

	@Override
	public QueueStats stats(String queue) {
		Arguments arguments = new Arguments().add(now());
		QueueStats.DELAY_BOUNDS.forEach((bound) -> arguments.add(bound.toMillis()));
		return run(Script.STATS, queue, arguments, Replies::stats);
	}

	@Override
	public QueueCheck check(String queue, @Nullable String cursor, int limit) {
		return check(Script.CHECK, queue, cursor, limit, new byte[0]);
	}

	@Override
	public QueueCheck repair(String queue, @Nullable String cursor, int limit, byte[] failure) {
		return check(Script.REPAIR, queue, cursor, limit, failure);
	}

	private QueueCheck check(Script script, String queue, @Nullable String cursor, int limit, byte[] failure) {
		Bounds.requireCheckLimit(limit);
		Arguments arguments = timed(queue).add((script == Script.REPAIR) ? "repair" : "look")
			.add(CheckReply.requireCursor(cursor))
			.add(limit)
			.add(failure);
		return run(script, queue, arguments, CheckReply::read);
	}

	@Override
	public void announce(String queue) {
		this.scripts.persistently("announce", queue, true,
				() -> this.scripts.template().opsForSet().add(this.keys.names(), bytes(queue)));
	}

	@Override
	public Set<String> queues() {
		Set<byte[]> members = this.scripts.persistently("list the queues", null, true, () -> this.scripts.template()
			.execute(
					(RedisCallback<Set<byte[]>>) (connection) -> connection.setCommands().sMembers(this.keys.names())));
		// a name that is none cannot be asked for: it would escape from the key
		return Replies.read("list the queues", null, members,
				(names) -> names.stream()
					.map(Replies::text)
					.filter(Names::isQueue)
					.collect(Collectors.toCollection(TreeSet::new)));
	}

	/**
	 * For tests, with a key prefix that nobody else has: remove all keys of the queues
	 * that this store has been used for since it was last called. Costs nothing if it has
	 * not been used.
	 */
	public void removeAll() {
		List<List<byte[]>> known = this.keys.forget();
		if (!known.isEmpty()) {
			remove(List.of(this.keys.names()));
			known.forEach(this::remove);
		}
	}

	private void remove(List<byte[]> keys) {
		this.scripts.persistently("remove the keys of a test", null, true, () -> this.scripts.template().unlink(keys));
	}

	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return this.wakeChannel.subscribe(this.keys.key(queue, Part.WAKE), listener);
	}

	@Override
	public void start() {
		this.connections.start();
	}

	@Override
	public void stop() {
		this.wakeChannel.close();
		this.connections.stop();
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
		this.wakeChannel.close();
		this.connections.close();
	}

	OwnConnections connections() {
		return this.connections;
	}

	void onNextAnswer(Runnable action) {
		this.scripts.onNextAnswer(action);
	}

	private <T> T run(Script script, String queue, Arguments arguments, Function<List<?>, T> reader) {
		return Replies.read(script.stepName(), queue,
				this.scripts.run(script, queue, script.keys(this.keys, queue), arguments.toArray()), reader);
	}

	private <T> T once(Script script, String queue, Arguments arguments, Function<List<?>, T> reader) {
		return Replies.read(script.stepName(), queue,
				this.scripts.once(script, queue, script.keys(this.keys, queue), arguments.toArray()), reader);
	}

	private Arguments timed(String queue) {
		return new Arguments().add(now()).add(this.keys.key(queue, Part.WAKE));
	}

	private String now() {
		if (this.clock == null) {
			return "";
		}
		Instant now = this.clock.instant();
		return Long.toString(now.getEpochSecond() * 1_000_000 + now.getNano() / 1000);
	}

	private static String name(TaskState state) {
		return state.name().toLowerCase(Locale.ROOT);
	}

	private static String action(Settlement.Action action) {
		return switch (action) {
			case COMPLETE -> "complete";
			case COMPLETE_AND_KEEP -> "keep";
			case RETRY -> "retry";
			case BURY -> "bury";
			case RELEASE -> "release";
			case DROP -> "drop";
			case REPEAT -> "repeat";
			case SKIP -> "skip";
		};
	}

	private static byte[] bytes(String text) {
		return Arguments.bytes(text);
	}

}
