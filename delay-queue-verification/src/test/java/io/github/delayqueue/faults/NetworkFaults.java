package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.delayqueue.testsupport.Machine;
import io.github.delayqueue.testsupport.Machines;

/**
 * What is done to the network between machines: they are divided in two sides at random,
 * and something is wrong between these.
 */
final class NetworkFaults {

	/** Some hold for longer than a lease duration, or than it takes to fail over. */
	private static final int LONGEST_MILLIS = 9000;

	private static final int SLOWEST_MILLIS = 250;

	private static final double WORST_LOSS = 0.4;

	private final Machines machines;

	private final HistoryLog log;

	private final Random random;

	/** Waits until servers have come to terms again. */
	private final Runnable calm;

	NetworkFaults(Machines machines, HistoryLog log, Random random, Runnable calm) {
		this.machines = machines;
		this.calm = calm;
		this.log = log;
		this.random = random;
	}

	/** One after the other, with a pause between them. */
	void inflictFor(Duration time) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		for (int i = 0; end - System.nanoTime() > 0; i++) {
			pause(500, 3000);
			inflict(Kind.values()[i % Kind.values().length]);
		}
	}

	private void inflict(Kind kind) throws InterruptedException {
		List<Machine> all = this.machines.all();
		int sides = 1 + this.random.nextInt((1 << all.size()) - 2);
		List<Machine> one = all.stream().filter((machine) -> isOfFirst(machine, sides)).toList();
		List<Machine> other = all.stream().filter((machine) -> !isOfFirst(machine, sides)).toList();
		this.log.write("fault", kind.name().toLowerCase(Locale.ROOT), text(one), text(other));
		switch (kind) {
			case PARTED -> {
				this.machines.cut(one, other);
				this.machines.cut(other, one);
			}
			case PARTED_ONE_WAY -> this.machines.cut(one, other);
			case SLOW -> between(one, other, 1 + this.random.nextInt(SLOWEST_MILLIS), 0);
			case LOSSY -> between(one, other, 0, WORST_LOSS * this.random.nextDouble());
		}
		pause(1000, LONGEST_MILLIS);
		this.machines.heal();
		this.calm.run();
		this.log.write("undone", kind.name().toLowerCase(Locale.ROOT));
	}

	private void between(List<Machine> one, List<Machine> other, int millis, double loss) {
		Duration delay = Duration.ofMillis(millis);
		this.machines.link(one, other, delay, delay, loss);
		this.machines.link(other, one, delay, delay, loss);
	}

	private static boolean isOfFirst(Machine machine, int sides) {
		return (sides >> (machine.number() - 1) & 1) == 1;
	}

	private static String text(List<Machine> machines) {
		return machines.stream().map((machine) -> String.valueOf(machine.number())).collect(Collectors.joining(","));
	}

	private void pause(int least, int most) throws InterruptedException {
		new CountDownLatch(1).await(least + this.random.nextInt(most - least), TimeUnit.MILLISECONDS);
	}

	/** What can go wrong between two sides. */
	enum Kind {

		/** Nothing arrives. */
		PARTED,

		/** What one side sends does not arrive, what the other one sends does. */
		PARTED_ONE_WAY,

		/** Everything arrives late, and at times later still. */
		SLOW,

		/** Some packets get lost. */
		LOSSY

	}

}
