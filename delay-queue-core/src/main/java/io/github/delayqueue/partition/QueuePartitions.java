package io.github.delayqueue.partition;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.store.TaskStore;

/**
 * The partitions of a queue: as many as are configured, which is compared with what the
 * store knows. The first partition decides; the others know the number too, so that each
 * of them refuses whoever schedules by another one. Thread-safe.
 */
final class QueuePartitions {

	/** After that time a claim, and an id that is unknown, are reasons to ask. */
	private static final Duration BELIEVED = Duration.ofSeconds(10);

	private final TaskStore store;

	private final String queue;

	private final List<String> names;

	private final ReentrantLock lock = new ReentrantLock();

	/** What each partition has to know. */
	private volatile String known;

	/** Partitions that knew the number when they were asked. */
	private final Set<String> agreed = ConcurrentHashMap.newKeySet();

	private final LongSupplier nanoTime;

	private volatile long lookAt;

	private volatile List<String> believed;

	private volatile long believedUntil;

	QueuePartitions(TaskStore store, String queue, int configured, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.lookAt = nanoTime.getAsLong();
		this.believedUntil = this.lookAt;
		this.store = store;
		this.queue = queue;
		this.names = SourceNames.names(queue, configured);
		this.believed = this.names;
		this.known = String.valueOf(configured);
	}

	/** As many as are configured. */
	List<String> names() {
		return this.names;
	}

	String known() {
		return this.known;
	}

	/** As many as there are, which are those to look at and to steer. */
	List<String> found() {
		return SourceNames.names(this.queue, SourceNames.count(ask()));
	}

	/**
	 * As many as there were lately, by which ids can be found.
	 * @throws DelayQueueException if some cannot
	 */
	List<String> believed() {
		if (this.nanoTime.getAsLong() - this.believedUntil >= 0) {
			String asked = ask();
			requireNeverRaised(asked);
			this.believed = SourceNames.names(this.queue, SourceNames.count(asked));
			this.believedUntil = this.nanoTime.getAsLong() + BELIEVED.toNanos();
		}
		return this.believed;
	}

	/** Where a task belongs, as far as is known without asking. */
	String home(String taskId) {
		return Partitions.home(taskId, this.believed);
	}

	/**
	 * Make sure before a claim, the first time and now and then, that the store has the
	 * number that is configured: it may have been emptied.
	 */
	void require(String partition) {
		boolean again = this.names.size() > 1 && partition.equals(this.queue)
				&& this.nanoTime.getAsLong() - this.lookAt >= 0;
		if (again || !this.agreed.contains(partition)) {
			if (!look(partition).equals(this.known)) {
				agree();
			}
			this.agreed.add(partition);
			this.lookAt = this.nanoTime.getAsLong() + BELIEVED.toNanos();
		}
	}

	/**
	 * Let the store have the number that is configured, and all partitions know it, if
	 * nothing is against it.
	 * @throws DelayQueueException if it has another one
	 */
	void agree() {
		this.lock.lock();
		try {
			this.agreed.clear();
			String asked = ask();
			requireSame(asked);
			requireNeverRaised(asked);
			this.known = asked;
			this.names.stream().skip(1).forEach((partition) -> learn(partition, asked, false));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A queue without tasks gets the number that is configured. If the first partition
	 * has lost its number, the second one has it.
	 */
	private String ask() {
		int count = this.names.size();
		if (count == 1) {
			return look(this.queue);
		}
		String first = learn(this.queue, String.valueOf(count), true);
		String second = (SourceNames.count(first) == 1) ? look(this.names.get(1)) : "";
		return (SourceNames.count(second) == count) ? learn(this.queue, second, false) : first;
	}

	private String learn(String partition, String number, boolean fresh) {
		return this.store.requireRole(SourceNumbers.class).learn(partition, number, fresh);
	}

	private String look(String partition) {
		return learn(partition, "", true);
	}

	private void requireSame(String asked) {
		int count = SourceNames.count(asked);
		if (count != this.names.size()) {
			throw new DelayQueueException(this.queue, null,
					"The number of partitions of queue '" + this.queue + "' is " + count
							+ ", and this instance is set to " + this.names.size()
							+ ", so it schedules and claims none of its tasks. Set " + Option.prefixOf(this.queue)
							+ "partitions to " + count + ". For another number, take a queue of another name, "
							+ "or drain this one, call forget, and begin anew");
		}
	}

	/** Ids of before would be looked for where they are not. */
	private void requireNeverRaised(String asked) {
		if (asked.contains(",")) {
			throw new DelayQueueException(this.queue, null,
					"An earlier version has raised the number of partitions of queue '" + this.queue + "' to "
							+ SourceNames.count(asked) + ", which this version cannot read. "
							+ "Let instances of that version drain it, call forget, and begin anew");
		}
	}

}
