package io.github.delayqueue.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.measure.FirstTasks;
import io.github.delayqueue.benchmark.measure.Result;
import io.github.delayqueue.benchmark.measure.Sample;
import io.github.delayqueue.benchmark.report.Comparison;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * Compares the first tasks of an application with an earlier state of the project and
 * with the present one, in turn, each in a JVM and with a Redis that were just started.
 */
public final class Speed {

	private static final Pattern LINE = Pattern.compile("^\\{\"measure\".*$", Pattern.MULTILINE);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final String classPathThen;

	private final String classPathNow;

	private final String tasks;

	private final Comparison comparison = new Comparison();

	private Speed(String classPathThen, String classPathNow, String tasks) {
		this.classPathThen = classPathThen;
		this.classPathNow = classPathNow;
		this.tasks = tasks;
	}

	/**
	 * Compare. Ends with status 1 if something has got worse.
	 * @param args the class paths of then and now, how many tasks, the commits of then
	 * and now, and the files that get a line
	 * @throws IOException if a file cannot be written
	 */
	public static void main(String[] args) throws IOException {
		Speed speed = new Speed(args[0], args[1], args[2]);
		for (int round = 0; round < Comparison.ROUNDS; round++) {
			for (String measure : FirstTasks.MEASURES) {
				speed.measure(measure, round % 2 == 0);
			}
		}
		System.out.print(speed.comparison.table());
		String header = "date,commit,beside,tasks," + speed.comparison.header();
		String line = String.join(",", LocalDate.now(ZoneOffset.UTC).toString(), args[4], args[3], args[2],
				speed.comparison.line());
		for (String file : List.of(args).subList(5, args.length)) {
			append(Path.of(file), header, line);
		}
		List<String> worse = speed.comparison.worse();
		System.out.println(worse.isEmpty() ? "nothing is worse by more than a tenth in all rounds"
				: "worse by more than a tenth in all rounds: " + String.join(", ", worse));
		System.exit(worse.isEmpty() ? 0 : 1);
	}

	/** Who begins changes, so that nobody is always the one after the other. */
	private void measure(String measure, boolean nowFirst) {
		Sample first = sample(nowFirst ? this.classPathNow : this.classPathThen, measure);
		Sample second = sample(nowFirst ? this.classPathThen : this.classPathNow, measure);
		this.comparison.add(measure, nowFirst ? second : first, nowFirst ? first : second);
	}

	private Sample sample(String classPath, String measure) {
		try (RedisServer redis = RedisServer.startNew();
				ChildJvm child = ChildJvm
					.of(List.of("-Xms1g", "-Xmx1g", "-cp", classPath, FirstTasks.class.getName(), redis.host(),
							String.valueOf(redis.port()), measure, this.tasks))
					.longLived()
					.patience(PATIENCE)
					.start()) {
			Sample sample = JsonMapper.builder().build().readValue(child.await(LINE, 1).group(), Result.class).sample();
			if (sample == null || !sample.counts().clean()) {
				throw new IllegalStateException(measure + " went wrong: " + child.log());
			}
			return sample;
		}
	}

	/** Figures of other names begin with a header of their own. */
	private static void append(Path file, String header, String line) throws IOException {
		boolean known = Files.exists(file) && Files.readAllLines(file).contains(header);
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file, (known ? "" : header + "\n") + line + "\n", StandardOpenOption.CREATE,
				StandardOpenOption.APPEND);
	}

}
