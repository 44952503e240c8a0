package io.github.delayqueue.benchmark.run;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.ForkProcess;
import io.github.delayqueue.benchmark.measure.ForkedMeasure;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Session;
import io.github.delayqueue.benchmark.measure.SessionMeasure;
import io.github.delayqueue.benchmark.peers.BullMq;
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

	private final Instant started = Instant.now();

	private final Map<String, Map<String, String>> settings = new LinkedHashMap<>();

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
		// whatever threads are left behind
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
			report.write(this.options.docs(), this.out);
		}
		return !report.hasErrors() && !(this.options.strict() && report.hasMissedTargets());
	}

	private Run measure() {
		List<SystemType> systems = this.options.systems().stream().filter(this::isAvailable).toList();
		try (RedisServer redis = RedisServer.startNew(); PostgresProcess postgres = postgres(systems)) {
			Session session = new Session(systems, redis, (postgres != null) ? postgres.url() : null,
					this.options.quick(), this.options.large(), this.out);
			Map<String, String> machine = Machine.describe(redis);
			machine.put("processes", this.options.forks()
					+ " for each system, in an order shuffled by `-Dbenchmark.seed=" + this.options.seed() + "`");
			for (int round = 0; round < this.options.forks(); round++) {
				List<SystemType> shuffled = new ArrayList<>(systems);
				Collections.shuffle(shuffled, new Random(this.options.seed() + round));
				for (SystemType type : shuffled) {
					fork(session, type, round);
					// what there is, in case that the run does not come to its end
					run(session, systems, machine).write(this.options.results());
				}
			}
			for (Measure measure : this.options.measures()) {
				if (measure instanceof SessionMeasure once) {
					once(session, once);
					run(session, systems, machine).write(this.options.results());
				}
			}
			return run(session, systems, machine);
		}
	}

	private void fork(Session session, SystemType type, int round) {
		List<ForkedMeasure> measures = this.options.measures()
			.stream()
			.filter(ForkedMeasure.class::isInstance)
			.map(ForkedMeasure.class::cast)
			.filter((measure) -> measure.isFor(type, round))
			.toList();
		boolean dispensable = round > 0 && !type.has(Trait.SUBJECT) && (session.isLate() || session.isSlow(type));
		if (!measures.isEmpty() && !dispensable) {
			session.say("%s, process %d", type.title(), round + 1);
			Map<String, String> found = ForkProcess.measure(session, type, measures);
			this.settings.putIfAbsent(type.key(), found);
		}
	}

	private void once(Session session, SessionMeasure measure) {
		session.say("%s", measure.title());
		try {
			measure.run(session);
		}
		catch (RuntimeException ex) {
			session.fail(measure.key(), "ours", ex);
		}
	}

	private Run run(Session session, List<SystemType> systems, Map<String, String> machine) {
		List<Run.MeasuredSystem> measured = systems.stream()
			.map((type) -> new Run.MeasuredSystem(type.key(), type.title(), type.summary(),
					this.settings.getOrDefault(type.key(), Map.of())))
			.toList();
		double seconds = Duration.between(this.started, Instant.now()).toMillis() / 1000.0;
		return new Run(this.started, seconds, machine, measured, session.results());
	}

	private boolean isAvailable(SystemType type) {
		boolean available = !type.has(Trait.NODE) || BullMq.isAvailable();
		if (!available) {
			this.out.println(type.title() + " is left out: Node.js or its package is not there");
		}
		return available;
	}

	private static @Nullable PostgresProcess postgres(List<SystemType> systems) {
		return systems.stream().anyMatch((type) -> type.has(Trait.POSTGRES)) ? PostgresProcess.start() : null;
	}

}
