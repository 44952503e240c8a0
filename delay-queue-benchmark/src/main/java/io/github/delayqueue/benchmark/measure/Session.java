package io.github.delayqueue.benchmark.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * A run: which systems, in which size, and what has come out so far.
 */
public final class Session {

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	/** From here on peers are measured only once. */
	private static final double LATE_SECONDS = 27 * 60;

	private final long start = System.nanoTime();

	private final List<Subject> subjects;

	private final RedisServer redis;

	private final @Nullable String postgresUrl;

	private final boolean quick;

	private final boolean large;

	private final PrintStream out;

	private final List<Result> results = new ArrayList<>();

	/**
	 * Begin.
	 * @param subjects the systems
	 * @param redis the server that those in Redis share
	 * @param postgresUrl where PostgreSQL is
	 * @param quick whether a smoke test is enough: small sizes, one repetition
	 * @param large whether to measure with ten million tasks, too
	 * @param out where to say what goes on
	 */
	public Session(List<Subject> subjects, RedisServer redis, @Nullable String postgresUrl, boolean quick,
			boolean large, PrintStream out) {
		this.subjects = subjects;
		this.redis = redis;
		this.postgresUrl = postgresUrl;
		this.quick = quick;
		this.large = large;
		this.out = out;
	}

	List<Subject> allSubjects() {
		return this.subjects;
	}

	/**
	 * The systems that do not wait for the disk.
	 * @return those that are compared in most measures
	 */
	List<Subject> subjects() {
		return this.subjects.stream().filter((subject) -> !subject.type().has(Trait.DURABLE)).toList();
	}

	/**
	 * The systems that wait for the disk.
	 * @return those that are compared among each other only
	 */
	List<Subject> durableSubjects() {
		return this.subjects.stream().filter((subject) -> subject.type().has(Trait.DURABLE)).toList();
	}

	RedisServer redis() {
		return this.redis;
	}

	@Nullable String postgresUrl() {
		return this.postgresUrl;
	}

	boolean quick() {
		return this.quick;
	}

	boolean large() {
		return this.large;
	}

	/**
	 * A size, or less where a smoke test is enough.
	 * @param size the full size
	 * @return the size to use
	 */
	int size(int size) {
		return this.quick ? Math.max(50, size / 250) : size;
	}

	/**
	 * What has been measured already.
	 * @param measure key of the measure
	 * @param system key of the system
	 * @param name of the figure
	 * @return the median, empty if it was not measured
	 */
	OptionalDouble median(String measure, String system, String name) {
		return this.results.stream()
			.filter((result) -> result.measure().equals(measure) && result.system().equals(system))
			.findFirst()
			.map((result) -> result.median(name))
			.orElse(OptionalDouble.empty());
	}

	boolean wasStopped(String measure, String system) {
		return this.results.stream()
			.anyMatch(
					(result) -> result.measure().equals(measure) && result.system().equals(system) && result.stopped());
	}

	/**
	 * Whether time runs out.
	 * @return whether to leave out what can be left out
	 */
	boolean isLate() {
		return (System.nanoTime() - this.start) / 1e9 > LATE_SECONDS;
	}

	synchronized void record(Result result) {
		this.results.add(result);
	}

	/**
	 * Note that a measure as a whole did not work, which is an error of the delay queue's
	 * until the contrary is proved.
	 * @param measure the measure
	 * @param reason why
	 */
	public void fail(Measure measure, RuntimeException reason) {
		record(new Result(measure.key(), OwnMeasure.OURS, List.of(), failed(measure.key(), OwnMeasure.OURS, reason)));
	}

	/**
	 * Say that something could not be measured, and log why.
	 * @param measure key of the measure
	 * @param system key of the system
	 * @param reason why
	 * @return a note for the result
	 */
	String failed(String measure, String system, RuntimeException reason) {
		say("  %-14s %-10s FAILED %s", measure, system, reason);
		logger.error("{} of {} failed", measure, system, reason);
		return "failed: " + reason;
	}

	public synchronized List<Result> results() {
		return List.copyOf(this.results);
	}

	void say(String format, Object... arguments) {
		this.out.println(String.format(Locale.ROOT, format, arguments));
	}

}
