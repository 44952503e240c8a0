package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;

/**
 * What this process believes of the partitions of a queue, and how it comes to agree with
 * the others: before a number of partitions is used, all partitions have been told of it,
 * the first one first, so that each of them refuses whoever believes in another one.
 * Thread-safe.
 */
final class QueuePartitions {

	private static final Logger logger = LoggerFactory.getLogger(QueuePartitions.class);

	/** Steps are refused while others grow the queue; not as often as that. */
	private static final int MAX_REFUSALS = 10;

	/** Each of which brings at least one more number. */
	private static final int MAX_ROUNDS = 10;

	private static final Duration TELL_EVERY = Duration.ofSeconds(10);

	private final PartitionStore store;

	private final String queue;

	private final ReentrantLock lock = new ReentrantLock();

	private final AtomicLong tellAt = new AtomicLong(System.nanoTime());

	private volatile PartitionCounts counts;

	/** To claim from: may be ahead of the counts, but never behind. */
	private final AtomicReference<List<String>> names;

	QueuePartitions(PartitionStore store, String queue, int configured) {
		this.store = store;
		this.queue = queue;
		this.counts = PartitionCounts.of(configured);
		this.names = new AtomicReference<>(Partitions.names(queue, configured));
	}

	List<String> names() {
		return this.names.get();
	}

	/**
	 * Do something for which the counts must be right, and again with others if a
	 * partition says that they are not.
	 */
	<T> T agreed(Function<PartitionCounts, T> step) {
		for (int refusals = 0;; refusals++) {
			PartitionCounts believed = believed();
			try {
				return step.apply(believed);
			}
			catch (PartitionsChangedException ex) {
				if (refusals == MAX_REFUSALS) {
					throw ex;
				}
				agree(believed, ex.counts());
			}
		}
	}

	/** What a claim has come to know of is believed, too. */
	PartitionCounts believed() {
		PartitionCounts believed = this.counts;
		int claimed = names().size();
		return (claimed > believed.count()) ? agree(believed, PartitionCounts.of(claimed)) : believed;
	}

	/**
	 * The names of all partitions, for steps that no partition refuses: the first one has
	 * been asked whether there are more.
	 */
	List<String> checkedNames() {
		PartitionCounts believed = believed();
		PartitionCounts known = this.store.learn(this.queue, PartitionCounts.UNCHECKED, false).counts();
		if (!known.equals(believed) && !(known.equals(PartitionCounts.UNCHECKED) && believed.count() == 1)) {
			agree(believed, known);
		}
		return names();
	}

	/**
	 * Take notice of the number of partitions that one of them knows of. Whatever needs
	 * more than to look there agrees first.
	 */
	void seen(int count) {
		this.names.updateAndGet((known) -> (count > known.size())
				? Partitions.names(this.queue, Math.min(count, Partitions.MAX)) : known);
	}

	/**
	 * Take notice of what a partition answered to a claim. A smaller number is put right:
	 * the store was emptied, or this process is the first that knows of the number it is
	 * configured with. That may fail; nothing depends on it.
	 */
	void claimed(int count) {
		seen(count);
		long now = System.nanoTime();
		long next = this.tellAt.get();
		PartitionCounts believed = this.counts;
		if (count >= believed.count() || now < next || !this.tellAt.compareAndSet(next, now + TELL_EVERY.toNanos())) {
			return;
		}
		try {
			agree(believed, PartitionCounts.UNCHECKED);
		}
		catch (DelayQueueException ex) {
			logger.debug("Queue '{}' could not be told that it has {} partitions; it is tried again", this.queue,
					believed.count(), ex);
		}
	}

	/**
	 * Come to an agreement with all partitions.
	 * @param refused what was believed and is not right
	 * @param known what is known besides
	 */
	private PartitionCounts agree(PartitionCounts refused, PartitionCounts known) {
		this.lock.lock();
		try {
			if (this.counts.equals(refused)) {
				this.counts = negotiate(refused.with(known));
				seen(this.counts.count());
				logger.info("Queue '{}' has {} partitions", this.queue, this.counts.count());
			}
			return this.counts;
		}
		finally {
			this.lock.unlock();
		}
	}

	private PartitionCounts negotiate(PartitionCounts proposal) {
		PartitionCounts wanted = proposal;
		for (int rounds = 0; rounds < MAX_ROUNDS; rounds++) {
			// Whoever grows a queue while a partition cannot be reached would stop others
			List<PartitionCounts> known = new ArrayList<>();
			for (int i = 0; i < wanted.count(); i++) {
				known.add(this.store.learn(Partitions.name(this.queue, i), PartitionCounts.UNCHECKED, false).counts());
				wanted = wanted.with(known.get(i));
			}
			if (wanted.equals(PartitionCounts.ONE) || known.stream().allMatch(wanted::equals)) {
				return wanted;
			}
			wanted = tell(wanted);
		}
		throw new DelayQueueException(this.queue, null,
				"Queue '" + this.queue + "': its partitions do not agree on their number. Is the store being emptied?");
	}

	/** The first partition comes first: it says whether it has tasks from before. */
	private PartitionCounts tell(PartitionCounts proposal) {
		PartitionState first = this.store.learn(this.queue, proposal, false);
		PartitionCounts wanted = proposal.with(first.counts());
		for (int i = 1; i < wanted.count(); i++) {
			wanted = wanted.with(this.store.learn(Partitions.name(this.queue, i), wanted, first.paused()).counts());
		}
		return wanted;
	}

}
