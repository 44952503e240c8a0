package io.github.delayqueue.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Does what looks have found on as few threads as can be: one does all while nothing
 * takes long. Queues that keep a thread waiting, as their store does not answer, keep no
 * others from being loaded, as each look begins another one, and more where something was
 * left by the one before. Thread-safe.
 */
final class LoadingThreads {

	/** So many begin what takes longer without waiting for the next look. */
	private static final int SPREAD = 8;

	private static final int MOST = 64;

	private final JournalLooks looks;

	private final Function<String, Loading> loadings;

	private final Predicate<String> failing;

	private final BiConsumer<String, @Nullable Throwable> outcomes;

	/** Queues with something that waits or is under way. */
	private final Set<String> underWay = ConcurrentHashMap.newKeySet();

	/** Guarded by itself, as is the number of threads. */
	private final Deque<QueueWork> waiting = new ArrayDeque<>();

	private int running;

	LoadingThreads(JournalLooks looks, Function<String, Loading> loadings, Predicate<String> failing,
			BiConsumer<String, @Nullable Throwable> outcomes) {
		this.looks = looks;
		this.loadings = loadings;
		this.failing = failing;
		this.outcomes = outcomes;
	}

	boolean isUnderWay(String queue) {
		return this.underWay.contains(queue);
	}

	void begin(List<QueueWork> found, Executor threads) {
		int more;
		synchronized (this.waiting) {
			more = this.waiting.isEmpty() ? 1 : this.running + 1;
			for (int i = found.size() - 1; i >= 0; i--) {
				QueueWork work = found.get(i);
				this.underWay.add(work.queue());
				if (this.failing.test(work.queue())) {
					this.waiting.addLast(work);
				}
				else {
					this.waiting.addFirst(work);
				}
			}
		}
		for (int i = 0; i < more; i++) {
			if (!start(threads, MOST)) {
				stop();
			}
		}
	}

	/** Let others look at what has not been begun. */
	void stop() {
		List<QueueWork> left;
		synchronized (this.waiting) {
			left = List.copyOf(this.waiting);
			this.waiting.clear();
		}
		left.forEach((work) -> this.underWay.remove(work.queue()));
		this.looks.giveBack(left.stream().flatMap((work) -> work.claimed().stream()).toList(),
				new CancellationException());
	}

	/** Answers false if there are no threads any more. */
	private boolean start(Executor threads, int most) {
		synchronized (this.waiting) {
			if (this.waiting.isEmpty() || this.running >= most) {
				return true;
			}
			this.running++;
		}
		boolean started = false;
		try {
			threads.execute(() -> run(threads));
			started = true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
		finally {
			if (!started) {
				ended();
			}
		}
		return true;
	}

	private void ended() {
		synchronized (this.waiting) {
			this.running--;
		}
	}

	private void run(Executor threads) {
		List<RememberedEpoch> renewed = new ArrayList<>();
		try {
			for (QueueWork work = next(); work != null; work = next()) {
				run(work, renewed, threads);
			}
			renew(renewed);
		}
		finally {
			ended();
		}
	}

	private @Nullable QueueWork next() {
		synchronized (this.waiting) {
			return this.waiting.poll();
		}
	}

	private void run(QueueWork work, List<RememberedEpoch> renewed, Executor threads) {
		try {
			this.loadings.apply(work.queue()).work(work, renewed::add, () -> {
				renew(renewed);
				start(threads, SPREAD);
			});
			this.outcomes.accept(work.queue(), null);
		}
		catch (RuntimeException | Error ex) {
			List<RememberedEpoch> left = new ArrayList<>(work.claimed());
			left.removeAll(renewed);
			this.looks.giveBack(left, ex);
			this.outcomes.accept(work.queue(), ex);
		}
		finally {
			this.underWay.remove(work.queue());
		}
	}

	/** What fails here is claimed by somebody after some seconds. */
	private void renew(List<RememberedEpoch> renewed) {
		if (renewed.isEmpty()) {
			return;
		}
		List<RememberedEpoch> all = List.copyOf(renewed);
		renewed.clear();
		try {
			this.looks.renew(all);
			this.outcomes.accept("", null);
		}
		catch (RuntimeException | Error ex) {
			this.looks.giveBack(all, ex);
			this.outcomes.accept("", ex);
		}
	}

}
