package io.github.delayqueue.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.measure.Result;

/**
 * What the delay queue has to show in one run: beside something else in the same run,
 * because machines differ.
 */
public final class Targets {

	/** Key of the delay queue. */
	static final String OURS = "ours";

	/** Key of the delay queue with a journal. */
	static final String JOURNAL = "journal";

	/** All keys of the delay queue. */
	static final Set<String> ALL_OURS = Set.of(OURS, JOURNAL);

	/** The bound of which the better batch size counts. */
	private static final List<String> LOOPS = List.of("loop", "loop-500");

	private static final String TIMER = "jvm-timer";

	private static final String DB_SCHEDULER = "db-scheduler";

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
		ratio("Drain, against the better unsafe loop", 0.4, "drain", OURS, better("drain"));
		ratio("Drain of a JVM just started, against the better unsafe loop", 0.4, "drain-cold", OURS,
				better("drain-cold"));
		add("Drain of 1,000,000, against that of 50,000", "at least 0.80", 0.8, false,
				each(result("drain-1m", OURS), "rate", result("drain", OURS), "rate", (a, b) -> a / b));
		ratio("Enqueue, 1 thread, against an empty script", 0.85, "enqueue-1", OURS, "evalsha");
		ratio("Enqueue, 16 threads, against an empty script", 0.7, "enqueue-16", OURS, "evalsha");
		ratio("Enqueue, 16 threads, against BullMQ", 1, "enqueue-16", OURS, "bullmq");
		ratio("Enqueue, bulk, against variadic ZADD", 0.6, "enqueue-bulk", OURS, "loop");
	}

	private void bounds() {
		moreThanTimer("Lateness at 50 a second, p50", 1.5, "open-50", "p50");
		moreThanTimer("Lateness at 50 a second, p99", 5, "open-50", "p99");
		add("The same with 100,000 others pending", "at most 5 ms more than without", 5, true,
				each(result("open-50-others", OURS), "p99", result("open-50", OURS), "p99", (a, b) -> a - b));
		atMost("Memory per pending task", 370, "bytes", OURS, "memory", "bytes");
		atMost("Idle, client commands", 1.2, "a second", OURS, "idle", "commands");
		atMost("Idle, CPU of client and Redis", 1, "% of a core", OURS, "idle", "cpu");
	}

	private void journal() {
		ratio("Schedule with a journal, 1 thread, against db-scheduler", 1, "enqueue-1", JOURNAL, DB_SCHEDULER);
		ratio("Schedule with a journal, 16 threads, against db-scheduler", 1, "enqueue-16", JOURNAL, DB_SCHEDULER);
		ratio("Schedule with a journal, bulk, against db-scheduler", 1, "enqueue-bulk", JOURNAL, DB_SCHEDULER);
		ratio("Drain with a journal, against db-scheduler", 3, "drain", JOURNAL, DB_SCHEDULER);
		atMost("In Redis of tasks a month away", 0, "tasks", JOURNAL, "journal-stored", "inRedis");
		atMost("`find` beside tasks a month away, median", 50, "ms", JOURNAL, "journal-stored", "find");
	}

	private void nothingWrong() {
		Errors errors = Errors.of(this.run, ALL_OURS);
		boolean measured = this.run.results().stream().anyMatch((result) -> ALL_OURS.contains(result.system()));
		this.checks.add(new Check("Missing, doubled, early or unsettled in any run", "0",
				measured ? errors.counts().toString() : null, errors.counts().clean(), true));
		this.checks.add(new Check("Lost or early when the consumer is killed", "0",
				this.run.result("kill", OURS).isPresent()
						? errors.killed().missing() + " lost, " + errors.killed().early() + " early" : null,
				errors.killed().clean(), true));
		this.checks.add(new Check("Measures that failed", "0",
				measured ? errors.failures().isEmpty() ? "0" : String.join("; ", errors.failures()) : null,
				errors.failures().isEmpty(), true));
	}

	/** The loop with the batch size that is faster here. */
	private String better(String measure) {
		return LOOPS.stream()
			.max((a, b) -> Double.compare(this.run.median(measure, a, "rate").orElse(0),
					this.run.median(measure, b, "rate").orElse(0)))
			.orElseThrow();
	}

	private void ratio(String name, double required, String measure, String system, String base) {
		add(name, "at least " + number(required), required, false,
				each(result(measure, system), "rate", result(measure, base), "rate", (a, b) -> a / b));
	}

	private void moreThanTimer(String name, double required, String measure, String figure) {
		OptionalDouble timer = this.run.median(measure, TIMER, figure);
		double[] more = timer.isPresent()
				? result(measure, OURS).values(figure).map((value) -> value - timer.getAsDouble()).toArray()
				: new double[0];
		add(name, "at most " + number(required) + " ms more than a timer in memory", required, true, more);
	}

	private void atMost(String name, double required, String unit, String system, String measure, String figure) {
		add(name, "at most " + number(required) + " " + unit, required, true,
				result(measure, system).values(figure).toArray());
	}

	private Result result(String measure, String system) {
		return this.run.result(measure, system).orElse(new Result(measure, system, List.of(), null));
	}

	/** Process by process, in the order in which they were started. */
	private static double[] each(Result one, String figure, Result other, String otherFigure,
			DoubleBinaryOperator operator) {
		double[] left = one.values(figure).toArray();
		double[] right = other.values(otherFigure).toArray();
		return IntStream.range(0, Math.min(left.length, right.length))
			.mapToDouble((i) -> operator.applyAsDouble(left[i], right[i]))
			.toArray();
	}

	private void add(String name, String required, double limit, boolean atMost, double[] values) {
		if (values.length == 0) {
			this.checks.add(new Check(name, required, null, true, false));
			return;
		}
		Arrays.sort(values);
		double median = values[(values.length - 1) / 2];
		String spread = (values.length > 1) ? " (" + number(values[0]) + "–" + number(values[values.length - 1]) + ")"
				: "";
		this.checks
			.add(new Check(name, required, number(median) + spread, atMost ? median <= limit : median >= limit, false));
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, (value >= 100 || value == Math.rint(value)) ? "%.0f" : "%.2f", value);
	}

}
