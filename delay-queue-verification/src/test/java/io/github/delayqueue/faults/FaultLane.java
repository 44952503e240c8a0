package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.Fault.Inflicted;

/**
 * Inflicts faults one after the other until it is told to end: each kind once, in random
 * order, then each kind again in another. The kind that the system property
 * {@value #FIRST} names, if there is one, is inflicted before all others.
 */
final class FaultLane implements Runnable {

	static final String FIRST = "faults.first";

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	private final Map<FaultKind, Fault> faults;

	private final Random random;

	private final HistoryLog log;

	private final CountDownLatch end = new CountDownLatch(1);

	private volatile @Nullable Throwable failure;

	FaultLane(Map<FaultKind, Fault> faults, Random random, HistoryLog log) {
		this.faults = faults;
		this.random = random;
		this.log = log;
	}

	@Override
	public void run() {
		List<FaultKind> deck = new ArrayList<>(first());
		try {
			while (!isOver(Fault.between(this.random, 300, 2500))) {
				if (deck.isEmpty()) {
					deck.addAll(this.faults.keySet());
					Collections.shuffle(deck, this.random);
				}
				inflict(deck.remove(0));
			}
		}
		catch (Throwable ex) {
			this.failure = ex;
		}
	}

	private List<FaultKind> first() {
		String first = System.getProperty(FIRST, "");
		return this.faults.keySet().stream().filter((kind) -> kind.name().equals(first)).toList();
	}

	private void inflict(FaultKind kind) throws InterruptedException {
		int number = NUMBERS.incrementAndGet();
		long from = System.currentTimeMillis();
		Inflicted inflicted = this.faults.get(kind).inflict(this.random);
		this.log.write("fault", number, kind, inflicted.target(), from);
		isOver(inflicted.hold());
		inflicted.undo().run();
		this.log.write("fault-over", number);
	}

	/** Wait, but not longer than until the end. */
	private boolean isOver(Duration wait) throws InterruptedException {
		return this.end.await(wait.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Begin nothing more. What is under way is undone first. */
	void end() {
		this.end.countDown();
	}

	/** What a fault could not be inflicted for, {@code null} if all is well. */
	@Nullable Throwable failure() {
		return this.failure;
	}

}
