package io.github.delayqueue.benchmark.run;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.measure.Measure;
import io.github.delayqueue.benchmark.measure.Session;
import io.github.delayqueue.benchmark.measure.Subject;
import io.github.delayqueue.benchmark.server.PostgresProcess;
import io.github.delayqueue.benchmark.server.RedisProcess;

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
	 * Run.
	 * @param args none; see {@link Options}
	 */
	public static void main(String[] args) {
		new Benchmark(Options.read(System::getProperty), System.out).run();
		// whatever threads the peers leave behind
		System.exit(0);
	}

	private void run() {
		try (RedisProcess redis = RedisProcess.start(); PostgresProcess postgres = postgres()) {
			String postgresUrl = (postgres != null) ? postgres.url() : null;
			Servers servers = new Servers(redis.host(), redis.port(), postgresUrl);
			List<Subject> subjects = this.options.systems().stream().map((type) -> new Subject(type, servers)).toList();
			Session session = new Session(subjects, redis, postgresUrl, this.options.quick(), this.options.large(),
					this.out);
			this.options.measures().forEach((measure) -> run(measure, session));
			subjects.forEach(Subject::close);
		}
	}

	private void run(Measure measure, Session session) {
		this.out.println(measure.title());
		long start = System.nanoTime();
		measure.run(session);
		this.out.printf(Locale.ROOT, "  %s: %.1f s%n", measure.key(), (System.nanoTime() - start) / 1e9);
	}

	private @Nullable PostgresProcess postgres() {
		boolean wanted = this.options.systems().stream().anyMatch((type) -> type.has(Trait.POSTGRES));
		return wanted ? PostgresProcess.start() : null;
	}

}
