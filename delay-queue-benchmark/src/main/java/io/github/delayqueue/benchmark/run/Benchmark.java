package io.github.delayqueue.benchmark.run;

import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Session;
import io.github.delayqueue.benchmark.measure.Subject;
import io.github.delayqueue.benchmark.report.Report;
import io.github.delayqueue.benchmark.report.Run;
import io.github.delayqueue.benchmark.server.PostgresProcess;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * Runs the measures and writes the report.
 */
public final class Benchmark {

	private final Options options;

	private final PrintStream out;

	private Benchmark(Options options, PrintStream out) {
		this.options = options;
		this.out = out;
	}

	/**
	 * Run. Ends with status 1 if the delay queue loses, doubles or advances a task.
	 * @param args none; see {@link Options}
	 */
	public static void main(String[] args) {
		boolean passed = new Benchmark(Options.read(System::getProperty), System.out).run();
		// whatever threads the peers leave behind
		System.exit(passed ? 0 : 1);
	}

	private boolean run() {
		Run run = this.options.reportOnly() ? Run.read(this.options.results()) : measure();
		Report report = new Report(run);
		report.print(this.out);
		if (this.options.quick()) {
			this.out.println("This was a smoke test: only what was lost, doubled or early means anything");
		}
		if (this.options.docs() != null && (this.options.reportOnly() || this.options.isComplete())) {
			report.write(this.options.docs());
		}
		return !report.hasErrors() && !(this.options.strict() && report.hasMissedTargets());
	}

	private Run measure() {
		try (RedisServer redis = RedisServer.startNew(); PostgresProcess postgres = postgres()) {
			String postgresUrl = (postgres != null) ? postgres.url() : null;
			Servers servers = new Servers(redis.host(), redis.port(), postgresUrl);
			long lead = this.options.quick() ? Subject.LEAD_MILLIS / 5 : Subject.LEAD_MILLIS;
			List<Subject> subjects = this.options.systems()
				.stream()
				.map((type) -> new Subject(type, servers, lead))
				.toList();
			Session session = new Session(subjects, redis, postgresUrl, this.options.quick(), this.options.large(),
					this.out);
			Run run = measure(session, Machine.describe(redis), subjects);
			subjects.forEach(Subject::close);
			return run;
		}
	}

	private Run measure(Session session, Map<String, String> machine, List<Subject> subjects) {
		Run run = new Run(Instant.now(), machine, subjects.stream().map(Benchmark::describe).toList(), List.of(),
				List.of());
		for (Measure measure : this.options.measures()) {
			double seconds = run(measure, session);
			run = run.with(new Run.MeasureInfo(measure.key(), measure.title(), seconds), session.results());
			// what there is, in case that the run does not come to its end
			run.write(this.options.results());
		}
		return run;
	}

	private double run(Measure measure, Session session) {
		this.out.println(measure.title());
		long start = System.nanoTime();
		try {
			measure.run(session);
		}
		catch (RuntimeException ex) {
			session.fail(measure, ex);
		}
		double seconds = (System.nanoTime() - start) / 1e9;
		this.out.printf(Locale.ROOT, "  %s: %.1f s%n", measure.key(), seconds);
		return seconds;
	}

	private static Run.MeasuredSystem describe(Subject subject) {
		SystemType type = subject.type();
		Run.MeasuredSystem system = new Run.MeasuredSystem(type.key(), type.title(), type.summary(),
				subject.system().settings());
		if (type.has(Trait.DURABLE)) {
			// not to be there while others are measured
			subject.close();
		}
		return system;
	}

	private @Nullable PostgresProcess postgres() {
		boolean wanted = this.options.systems().stream().anyMatch((type) -> type.has(Trait.POSTGRES));
		return wanted ? PostgresProcess.start() : null;
	}

}
