package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Figures of queues, read anew where something has changed: a glance at those in which
 * nothing happens costs a fraction of reading them. Thread-safe.
 */
final class LatestFigures {

	private static final List<QueueKey> KEYS = List.of(QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW, QueueKey.LEASES,
			QueueKey.DEAD, QueueKey.META);

	private static final Script GLANCE = Script.reading(LatestFigures.class, "glance.lua", "look at",
			KEYS.toArray(QueueKey[]::new));

	/** So many at a time cost Redis half a millisecond. */
	private static final int MOST = 50;

	private final TaskStore store;

	private final @Nullable RedisTaskStore redis;

	private final Predicate<String> journaled;

	private final LongSupplier nanoTime;

	private final Map<String, Remembered> known = new ConcurrentHashMap<>();

	private volatile int atOnce = MOST;

	LatestFigures(TaskStore store, Predicate<String> journaled, LongSupplier nanoTime) {
		this.store = store;
		this.redis = store.role(RedisTaskStore.class);
		this.journaled = journaled;
		this.nanoTime = nanoTime;
	}

	void retain(Collection<String> all) {
		this.known.keySet().retainAll(all);
	}

	/** What is to be seen of queues before they are read. Reading says what is wrong. */
	Map<String, String> glance(Collection<String> queues) {
		Map<String, String> seen = new HashMap<>();
		if (this.redis == null) {
			return seen;
		}
		List<String> still = queues.stream().filter(this::isStill).toList();
		int next = 0;
		while (next < still.size()) {
			List<String> some = still.subList(next, Math.min(next + this.atOnce, still.size()));
			next += some.size();
			try {
				glance(this.redis.scripts(), some, seen);
			}
			catch (DelayQueueException ex) {
				if (ex instanceof StoreUnavailableException) {
					return seen;
				}
				// in a cluster they lie apart, and a user may not see all of them
				this.atOnce = 1;
			}
		}
		return seen;
	}

	private static void glance(ScriptRunner scripts, List<String> queues, Map<String, String> seen) {
		byte[][] keys = queues.stream()
			.flatMap((queue) -> Stream.of(scripts.call(GLANCE, queue).keysAndArguments()).limit(KEYS.size()))
			.toArray(byte[][]::new);
		List<String> texts = scripts.run(scripts.call(GLANCE, keys).add(scripts.now()),
				(reply) -> Replies.requireSize(reply, queues.size()).stream().map(Replies::text).toList());
		for (int i = 0; i < texts.size(); i++) {
			seen.put(queues.get(i), texts.get(i));
		}
	}

	/** Whether nothing happened in it when it was last read, if it was. */
	private boolean isStill(String queue) {
		Remembered last = this.known.get(queue);
		return !this.journaled.test(queue) && (last == null || last.stats.partitions() == 1
				&& last.stats.due() + last.stats.inFlight() + last.stats.diedLastHour() == 0);
	}

	/**
	 * The figures of a queue, as they are now.
	 * @param seen by a glance just before, {@code null} if there was none
	 * @param good for how long those are taken that were read before, if nothing has
	 * happened: only for how long tasks have to wait is as old
	 */
	QueueStats read(String queue, @Nullable String seen, Duration good) {
		Remembered last = this.known.get(queue);
		long now = this.nanoTime.getAsLong();
		if (last != null && seen != null && !seen.isEmpty() && seen.equals(last.seen)
				&& now - last.at < good.toNanos()) {
			return last.stats;
		}
		// after the glance: what happens in between is seen by the next one
		QueueStats stats = QueueView.of(this.store).stats(queue);
		this.known.put(queue, new Remembered(seen, now, stats));
		return stats;
	}

	private record Remembered(@Nullable String seen, long at, QueueStats stats) {

	}

}
