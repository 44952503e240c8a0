package io.github.delayqueue.benchmark.measure;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * A run: which systems, in which size, and what has come out so far.
 */
public final class Session {

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	/** From here on peers are not measured once more, so that a run ends in time. */
	private static final double LATE_SECONDS = 25 * 60;

	private static final double SLOW_SECONDS = 60;

	private static final Set<String> REPEATED = Set.of("drain-cold", "drain", "enqueue-1", "enqueue-16",
			"enqueue-bulk");

	private final long start = System.nanoTime();

	private final List<SystemType> systems;

	private final RedisServer redis;

	private final @Nullable String postgresUrl;

	private final boolean quick;

	private final boolean large;

	private final PrintStream out;

	private final Map<String, Result> results = new LinkedHashMap<>();

	/**
	 * Begin.
	 * @param systems what to measure
	 * @param redis a server for what is measured once in the run
	 * @param postgresUrl where PostgreSQL is
	 * @param quick whether a smoke test is enough: small sizes, one repetition
	 * @param large whether to measure with ten million tasks, too
	 * @param out where to say what goes on
	 */
	public Session(List<SystemType> systems, RedisServer redis, @Nullable String postgresUrl, boolean quick,
			boolean large, PrintStream out) {
		this.systems = systems;
		this.redis = redis;
		this.postgresUrl = postgresUrl;
		this.quick = quick;
		this.large = large;
		this.out = out;
	}

	List<SystemType> systems() {
		return this.systems;
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
	 * Whether time runs out.
	 * @return whether to leave out what can be left out
	 */
	public boolean isLate() {
		return (System.nanoTime() - this.start) / 1e9 > LATE_SECONDS;
	}

	/**
	 * Whether a system is so slow that it is measured once, so that a run ends in time.
	 * @param type the system
	 * @return whether it took more than a minute for what would be repeated
	 */
	public synchronized boolean isSlow(SystemType type) {
		return this.results.values()
			.stream()
			.filter((result) -> result.system().equals(type.key()) && REPEATED.contains(result.measure()))
			.flatMap((result) -> result.samples().stream().limit(1))
			.mapToDouble(Sample::seconds)
			.sum() > SLOW_SECONDS;
	}

	/**
	 * Keep what came out, together with what another process found for the same.
	 * @param result of a measure
	 */
	synchronized void record(Result result) {
		say("  %-14s %-12s %s", result.measure(), result.system(), Stream
			.concat(Stream.ofNullable(result.note()),
					result.samples()
						.stream()
						.map((sample) -> sample.text() + (sample.counts().clean() ? "" : " " + sample.counts())))
			.collect(Collectors.joining("; ")));
		this.results.merge(result.measure() + " " + result.system(), result, Result::plus);
	}

	/**
	 * Note that something could not be measured, and log why. Of the delay queue that is
	 * an error until the contrary is proved.
	 * @param measure key of the measure
	 * @param system key of the system
	 * @param reason why
	 */
	public void fail(String measure, String system, RuntimeException reason) {
		logger.error("{} of {} failed", measure, system, reason);
		record(new Result(measure, system, List.of(), "failed: " + reason));
	}

	public synchronized List<Result> results() {
		return List.copyOf(this.results.values());
	}

	public void say(String format, Object... arguments) {
		this.out.println(String.format(Locale.ROOT, format, arguments));
	}

}
