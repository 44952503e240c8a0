package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.RedisMonitor;
import io.github.delayqueue.testsupport.RedisNode;

/**
 * What a consumer costs that has nothing to do, in a process that has had: CPU time, and
 * then commands, because to count these takes some itself.
 */
final class IdleMeasure extends Measure {

	private static final double SETTLE_SECONDS = 10;

	private static final double WATCH_SECONDS = 20;

	/** How many wait, due in an hour. */
	private static final int TASKS = 1000;

	/** What a script calls, where others have their address. */
	private static final Pattern INNER = Pattern.compile("\\S+ \\[\\d+ lua]");

	/** Lines of the monitor itself: where it begins and where it ends. */
	private static final int OWN = 2;

	IdleMeasure() {
		super("idle");
	}

	@Override
	@SuppressWarnings("try") // consumes while it is open
	Sample measure(Fork fork) {
		Subject subject = fork.subject();
		SystemType type = subject.type();
		Ledger ledger = new Ledger(TASKS);
		subject.reset();
		subject.fill(0, TASKS, System.currentTimeMillis() + Tasks.FAR_MILLIS);
		try (QueueSystem.Consumption consumption = subject.system().consume(ledger)) {
			pass(fork, SETTLE_SECONDS);
			Usage before = Usage.now(type, fork.servers());
			double seconds = pass(fork, WATCH_SECONDS);
			Usage after = Usage.now(type, fork.servers());
			Sample sample = Sample.of("cpu", 100 * (after.cpuSeconds() - before.cpuSeconds()) / seconds)
				.with(new Counts(0, 0, ledger.handled()));
			return type.has(Trait.REDIS) ? commands(fork, sample) : sample;
		}
		finally {
			subject.reset();
		}
	}

	private static Sample commands(Fork fork, Sample sample) {
		AtomicReference<Double> seconds = new AtomicReference<>(0.0);
		List<String> lines = RedisMonitor.during(new RedisNode(fork.servers().redisHost(), fork.servers().redisPort()),
				() -> seconds.set(pass(fork, WATCH_SECONDS)));
		long inner = lines.stream().filter((line) -> INNER.matcher(line).lookingAt()).count();
		return sample.with("commands", (lines.size() - OWN - inner) / seconds.get())
			.with("inner", inner / seconds.get());
	}

	/** Let time pass, less where a smoke test is enough, and say how much it was. */
	private static double pass(Fork fork, double seconds) {
		long start = System.nanoTime();
		Waits.pause((long) (TimeUnit.SECONDS.toMillis(1) * fork.seconds(seconds)));
		return (System.nanoTime() - start) / 1e9;
	}

}
