package io.github.delayqueue.limits;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.delayqueue.Names;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimPart;

/**
 * How many tasks of a queue may be claimed in a time, over all consumers together.
 * Immutable.
 * <p>
 * Permits come one by one, evenly spread over the period. Each claimed task takes one,
 * also if it is claimed again because its lease ran out. Permits that are not taken
 * accumulate: those of the last {@link #SAVED} and one more. So a rate of 100 a second
 * allows 11 tasks at once, and no more than 1,011 in any ten seconds.
 *
 * @param tasks how many tasks, 1 to {@value #MAX_TASKS}
 * @param period in what time, a millisecond to 36,500 days
 */
public record RateLimit(int tasks, Duration period) implements ClaimPart {

	/** By default any number. For {@link QueueOptions.Builder#with}. */
	public static final Option<RateLimit> OPTION = Option.<RateLimit>of("rate-limit", RateLimit.class, null)
		.readBy((value) -> parse((String) value));

	/** Most tasks that a limit can allow in its period. */
	public static final int MAX_TASKS = 1_000_000;

	/** Permits of this time are saved up for consumers that come a little late. */
	public static final Duration SAVED = Duration.ofMillis(100);

	private static final Duration MAX_PERIOD = Duration.ofDays(36_500);

	private static final Pattern FORM = Pattern.compile("([0-9]{1,7})\\s*/\\s*([smh])");

	private static final Map<String, Duration> UNITS = Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1),
			"h", Duration.ofHours(1));

	public RateLimit {
		if (tasks < 1 || tasks > MAX_TASKS) {
			throw new IllegalArgumentException("it must allow 1 to " + MAX_TASKS + " tasks");
		}
		if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(MAX_PERIOD) > 0) {
			throw new IllegalArgumentException("its period must be a millisecond to 36500 days");
		}
	}

	/**
	 * Read a rate, by hand because Spring converts durations but no rates.
	 * @param text a number of tasks a second, minute or hour: {@code 100/s},
	 * {@code 30/m}, {@code 5/h}
	 * @throws IllegalArgumentException if it is none; the message is the second half of a
	 * sentence that begins with the name of the value
	 */
	public static RateLimit parse(String text) {
		Matcher parts = FORM.matcher(text.trim());
		if (!parts.matches()) {
			throw new IllegalArgumentException(
					"it must be a number of tasks a second, minute or hour, such as 100/s, 30/m or 5/h");
		}
		return new RateLimit(Integer.parseInt(parts.group(1)), UNITS.get(parts.group(2)));
	}

	@Override
	public String name() {
		return "rate_limit";
	}

	/** With the period in microseconds. */
	@Override
	public String argument() {
		return this.tasks + "/" + this.period.toMillis() * 1000;
	}

	/** The same number of tasks in a period that is longer. */
	@Override
	public RateLimit share(int number, int sources) {
		return new RateLimit(this.tasks, this.period.multipliedBy(sources));
	}

	/** As it is written, where that is possible. */
	@Override
	public String toString() {
		return UNITS.entrySet()
			.stream()
			.filter((unit) -> unit.getValue().equals(this.period))
			.findFirst()
			.map((unit) -> this.tasks + "/" + unit.getKey())
			.orElseGet(() -> this.tasks + " in " + Names.printable(this.period));
	}

}
