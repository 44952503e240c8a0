package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/**
 * Settles the deliveries of one source to one container. What comes while a call is under
 * way goes out together with the next: no delay at low load, large batches at high load.
 * While whole batches wait, other calls are made beside. What could not be settled is
 * kept, its lease extended, and tried again. So is what the store holds back, while
 * others go on.
 */
final class SourceSettlements {

	private static final Logger logger = LoggerFactory.getLogger(SourceSettlements.class);

	/** After so many calls the threads' other containers have their turn. */
	private static final int CALLS_PER_TURN = 8;

	private final SourceCalls calls;

	private final Leases leases;

	private final Queue<HeldTask> waiting = new ConcurrentLinkedQueue<>();

	/** Added and not applied yet. */
	private final AtomicInteger pending = new AtomicInteger();

	/** Applied, and not told to everybody yet. */
	private final AtomicInteger telling = new AtomicInteger();

	/** What those weigh together that no flush has taken up. */
	private final AtomicInteger waitingWeight = new AtomicInteger();

	/** Held by the one flush that is scheduled or under way. */
	private final AtomicBoolean flushing = new AtomicBoolean();

	/** For the flushes that are under way beside it. */
	private final Semaphore besides = new Semaphore(ContainerThreads.CALLS_BESIDE);

	/**
	 * What the last call could not settle. Only the flush that is under way uses it, not
	 * those beside.
	 */
	private final List<HeldTask> unsettled = new ArrayList<>();

	private volatile Duration backoff = Duration.ZERO;

	SourceSettlements(SourceCalls calls, Leases leases) {
		this.calls = calls;
		this.leases = leases;
	}

	/** Number of deliveries that have ended and are not settled. */
	int pending() {
		return this.pending.get();
	}

	/** Whether all is settled, and told. */
	boolean isIdle() {
		return pending() == 0 && this.telling.get() == 0;
	}

	void add(HeldTask task) {
		if (task.isOver()) {
			this.leases.remove(task);
			this.telling.incrementAndGet();
			schedule(() -> tellOf(task, true), Duration.ZERO);
			return;
		}
		this.pending.incrementAndGet();
		addToWaiting(task);
		flushWhatWaits();
		if (isWholeBatchWaiting() && this.besides.tryAcquire() && !this.calls.threads().beside(this::flushBeside)) {
			this.besides.release();
		}
	}

	private void addToWaiting(HeldTask task) {
		this.waitingWeight.addAndGet(weight(task));
		this.waiting.add(task);
	}

	private void flushWhatWaits() {
		if (!this.waiting.isEmpty() && this.flushing.compareAndSet(false, true)) {
			submit(Duration.ZERO);
		}
	}

	/** Not while nothing can be settled: one call is enough to find out when. */
	private boolean isWholeBatchWaiting() {
		return this.waitingWeight.get() >= TaskStore.MAX_BATCH && this.backoff.isZero();
	}

	private void submit(Duration delay) {
		boolean submitted = false;
		try {
			submitted = schedule(this::flushHereOrElsewhere, delay);
		}
		finally {
			if (!submitted) {
				this.flushing.set(false);
			}
		}
	}

	private void flushHereOrElsewhere() {
		if (!this.calls.threads().settlements().handOver(this::flush, this.calls.suspect().get())) {
			flush();
		}
	}

	private boolean schedule(Runnable step, Duration delay) {
		try {
			this.calls.threads().settlements().schedule(step, delay);
		}
		catch (RejectedExecutionException ex) {
			logger.warn("Deliveries of queue '{}' could not be settled before the application ended; "
					+ "their tasks will be delivered again when their leases run out", this.calls.queue());
			return false;
		}
		return true;
	}

	private void flush() {
		boolean settled = true;
		try {
			for (int i = 0; settled && i < CALLS_PER_TURN && fill(this.unsettled); i++) {
				settled = settleUnsettled();
			}
		}
		finally {
			if (!this.unsettled.isEmpty()) {
				submit(this.backoff);
			}
			else {
				this.flushing.set(false);
				// what was added in between saw that a flush was under way
				flushWhatWaits();
			}
		}
	}

	private boolean settleUnsettled() {
		try {
			settle(this.unsettled);
		}
		catch (RuntimeException | Error ex) {
			this.calls.suspect().set(true);
			logFailure(ex);
			this.backoff = HeldTask.longer(this.backoff);
			return false;
		}
		this.calls.suspect().set(false);
		this.backoff = Duration.ZERO;
		return true;
	}

	/**
	 * While Redis works on one call, the answer to another is read and the next call put
	 * together. What could not be settled is left to the flush that tries again.
	 */
	private void flushBeside() {
		List<HeldTask> batch = new ArrayList<>();
		try {
			for (int i = 0; i < CALLS_PER_TURN && isWholeBatchWaiting() && fill(batch); i++) {
				settle(batch);
			}
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Deliveries of queue '{}' could not be settled beside others", this.calls.queue(), ex);
		}
		finally {
			batch.forEach(this::addToWaiting);
			this.besides.release();
			flushWhatWaits();
		}
	}

	private boolean fill(List<HeldTask> batch) {
		int weight = batch.stream().mapToInt(SourceSettlements::weight).sum();
		while (weight < TaskStore.MAX_BATCH) {
			HeldTask task = this.waiting.poll();
			if (task == null) {
				break;
			}
			batch.add(task);
			this.waitingWeight.addAndGet(-weight(task));
			weight += weight(task);
		}
		return !batch.isEmpty();
	}

	/** What Redis goes on keeping costs it about twice as much as what it forgets. */
	private static int weight(HeldTask task) {
		Settlement.End end = task.settlement().end();
		return (end instanceof Settlement.Drop || end instanceof Settlement.Complete complete && !complete.keep()) ? 1
				: 2;
	}

	/** Settle a batch in one call. It is empty afterwards, unless this throws. */
	private void settle(List<HeldTask> batch) {
		List<@Nullable Boolean> applied = tell(batch.stream().map(HeldTask::settlement).toList());
		List<HeldTask> told = List.copyOf(batch);
		batch.clear();
		List<HeldTask> heldBack = new ArrayList<>();
		for (int i = 0; i < told.size(); i++) {
			if (applied.get(i) != null) {
				this.leases.remove(told.get(i));
				this.telling.incrementAndGet();
				this.pending.decrementAndGet();
			}
			else {
				heldBack.add(told.get(i));
			}
		}
		holdBack(heldBack);
		// only now: who is told may stop the container, which waits for all above
		for (int i = 0; i < told.size(); i++) {
			Boolean answer = applied.get(i);
			if (answer != null) {
				tellOf(told.get(i), answer);
			}
		}
	}

	private void tellOf(HeldTask task, boolean applied) {
		task.settled(applied);
		this.telling.decrementAndGet();
	}

	private List<@Nullable Boolean> tell(List<Settlement> settlements) {
		try {
			return new ArrayList<>(this.calls.store().settle(this.calls.source(), settlements));
		}
		catch (PartlySettledException ex) {
			logger.debug("Some deliveries are settled later", ex);
			return ex.getApplied();
		}
	}

	/** Somebody has their rows: nobody else is to wait for that. */
	private void holdBack(List<HeldTask> tasks) {
		tasks.stream().map(HeldTask::holdBack).max(Comparator.naturalOrder()).ifPresent((pause) -> schedule(() -> {
			tasks.forEach(this::addToWaiting);
			flushWhatWaits();
		}, pause));
	}

	private void logFailure(Throwable error) {
		if (this.backoff.isZero()) {
			logger.warn(
					"{} deliveries of queue '{}' could not be settled; it will be tried again while "
							+ "their leases are extended: {}",
					this.unsettled.size(), this.calls.queue(), Names.printable(error));
			logger.debug("Stack trace of the failed settlement in queue '{}'", this.calls.queue(), error);
		}
		else {
			logger.debug("Deliveries of queue '{}' still could not be settled", this.calls.queue(), error);
		}
	}

}
