package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What the delay queue has to show in one run, by ratios where machines differ.
 */
public final class Targets {

	/** Key of the delay queue. */
	static final String OURS = "ours";

	/** Key of the delay queue with a journal. */
	static final String JOURNAL = "journal";

	/** All keys of the delay queue. */
	static final Set<String> ALL_OURS = Set.of(OURS, JOURNAL);

	private final Run run;

	private final List<Check> checks = new ArrayList<>();

	private Targets(Run run) {
		this.run = run;
	}

	/**
	 * Compare what was measured with what is required.
	 * @param run what was measured
	 * @return a check for each requirement
	 */
	public static List<Check> check(Run run) {
		Targets targets = new Targets(run);
		targets.rates();
		targets.bounds();
		targets.checks.addAll(new Growth(run).checks());
		targets.journal();
		targets.nothingWrong();
		return targets.checks;
	}

	private void rates() {
		ratio("Drain of 50,000, against the unsafe loop", 0.5, rate("drain", OURS), rate("drain", "loop"));
		ratio("Drain of 1,000,000, against that of 50,000", 0.8, rate("drain-1m", OURS), rate("drain", OURS));
		ratio("Enqueue, 1 thread, against bare ZADD", 0.85, rate("enqueue-1", OURS), rate("enqueue-1", "bare"));
		ratio("Enqueue, 16 threads, against bare ZADD", 0.85, rate("enqueue-16", OURS), rate("enqueue-16", "bare"));
		ratio("Enqueue, bulk, against variadic ZADD", 0.7, rate("enqueue-bulk", OURS), rate("enqueue-bulk", "bare"));
	}

	private void bounds() {
		atMost("Lateness at 50 a second, p50", 1.5, "ms", "late", "p50");
		atMost("Lateness at 50 a second, p99", 5, "ms", "late", "p99");
		atMost("Lateness with 100,000 others pending, p50", 1.5, "ms", "late-others", "p50");
		atMost("Lateness with 100,000 others pending, p99", 5, "ms", "late-others", "p99");
		atMost("Lateness at half of the drain rate, p99", 25, "ms", "late-busy", "p99");
		atMost("Memory per pending task, 100,000", 370, "bytes", "memory-100k", "bytes");
		atMost("Memory per pending task, 1,000,000", 370, "bytes", "memory-1m", "bytes");
		atMost("Idle, client commands", 1.2, "a second", "idle", "commands");
		atMost("Idle, CPU of client and Redis", 1, "% of a core", "idle", "cpu");
		atMost("Idle with 1,000 tasks pending, client commands", 1.2, "a second", "idle-others", "commands");
		atMost("Idle with 1,000 tasks pending, CPU of client and Redis", 1, "% of a core", "idle-others", "cpu");
	}

	private void journal() {
		againstDbScheduler("Schedule with a journal, 1 thread", 1, "journal-1");
		againstDbScheduler("Schedule with a journal, 16 threads", 1, "journal-16");
		againstDbScheduler("Schedule with a journal, bulk", 1, "journal-bulk");
		againstDbScheduler("Drain of 50,000 with a journal", 3, "journal-drain");
		stored(Stored.MEASURE, "tasks a month away");
		stored(Stored.LARGE_MEASURE, "5,000,000 tasks a month away");
	}

	private void stored(String measure, String tasks) {
		atMost("In Redis of " + tasks, 0, "tasks", this.run.median(measure, JOURNAL, "inRedis"));
		atMost("stats beside " + tasks + ", median", 50, "ms", this.run.median(measure, JOURNAL, "stats"));
		atMost("find beside " + tasks + ", median", 50, "ms", this.run.median(measure, JOURNAL, "find"));
		atMost("Lateness, having waited in the table, beside " + tasks + ", p99", 5, "ms",
				this.run.median(measure, JOURNAL, "p99"));
	}

	private void againstDbScheduler(String name, double required, String measure) {
		ratio(name + ", against db-scheduler", required, rate(measure, JOURNAL), rate(measure, "db-scheduler"));
	}

	private void nothingWrong() {
		Errors errors = Errors.of(this.run, ALL_OURS);
		boolean measured = this.run.results().stream().anyMatch((result) -> ALL_OURS.contains(result.system()));
		this.checks.add(new Check("Missing, doubled or early in any run", "0",
				measured ? errors.counts().toString() : null, errors.counts().clean(), true));
		boolean killed = this.run.result("kill-slow", OURS).isPresent()
				|| this.run.result("kill-drain", OURS).isPresent();
		this.checks.add(new Check("Lost or early when the consumer is killed", "0",
				killed ? errors.killed().missing() + " lost, " + errors.killed().early() + " early" : null,
				errors.killed().clean(), true));
		this.checks.add(new Check("Measures that failed", "0",
				measured ? errors.failures().isEmpty() ? "0" : String.join("; ", errors.failures()) : null,
				errors.failures().isEmpty(), true));
	}

	private OptionalDouble rate(String measure, String system) {
		return this.run.median(measure, system, "rate");
	}

	private void ratio(String name, double required, OptionalDouble rate, OptionalDouble base) {
		boolean measured = rate.isPresent() && base.isPresent();
		double ratio = measured ? rate.getAsDouble() / base.getAsDouble() : 0;
		this.checks.add(new Check(name, "at least " + number(required), measured ? number(ratio) : null,
				ratio >= required, false));
	}

	private void atMost(String name, double required, String unit, String measure, String figure) {
		atMost(name, required, unit, this.run.median(measure, OURS, figure));
	}

	private void atMost(String name, double required, String unit, OptionalDouble value) {
		this.checks.add(new Check(name, "at most " + number(required) + " " + unit,
				value.isPresent() ? number(value.getAsDouble()) : null, value.orElse(0) <= required, false));
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, (value >= 100) ? "%.0f" : (value == Math.rint(value)) ? "%.0f" : "%.2f",
				value);
	}

}
