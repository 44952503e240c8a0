package io.github.delayqueue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;

/**
 * What somebody has sent along with a request, as text. Says in a sentence what is wrong
 * with it.
 */
final class RequestArguments {

	private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

	private final @Nullable String queue;

	private final Map<String, String> values = new TreeMap<>();

	/**
	 * Take what was sent.
	 * @param queue the queue that it is about, {@code null} for no single one
	 * @param values the arguments by name; those that are {@code null} were not sent
	 */
	RequestArguments(@Nullable String queue, Map<String, @Nullable String> values) {
		this.queue = queue;
		values.forEach((name, value) -> {
			if (value != null) {
				this.values.put(name, value);
			}
		});
	}

	/**
	 * Refuse what would have no effect: whoever sends it expects one.
	 * @param to what it was sent to
	 * @param names what may be sent
	 */
	void allowOnly(String to, Set<String> names) {
		for (String name : this.values.keySet()) {
			if (!names.contains(name)) {
				throw invalid(to + " does not take '" + Names.printable(name) + "', but "
						+ (names.isEmpty() ? "nothing" : names.stream().sorted().collect(Collectors.joining(", "))));
			}
		}
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	@Nullable String text(String name) {
		return this.values.get(name);
	}

	String requireText(String name) {
		String value = this.values.get(name);
		if (!StringUtils.hasLength(value)) {
			throw invalid("'" + name + "' is missing");
		}
		return value;
	}

	String taskId() {
		String id = requireText("id");
		String objection = Names.objectionToTaskId(id);
		if (objection != null) {
			throw invalid("The id of a task " + objection);
		}
		return id;
	}

	int number(String name, int defaultValue, int min, int max) {
		String value = this.values.get(name);
		if (value == null) {
			return defaultValue;
		}
		if (NUMBER.matcher(value).matches()) {
			int number = Integer.parseInt(value);
			if (number >= min && number <= max) {
				return number;
			}
		}
		throw invalid(
				"The " + name + (name.endsWith("s") ? " have" : " has") + " to be a number from " + min + " to " + max);
	}

	TaskState state(TaskState defaultValue, TaskState... allowed) {
		TaskState state = constant("state", allowed);
		return (state != null) ? state : defaultValue;
	}

	/**
	 * What tasks have died of.
	 * @return the reason, {@code null} if none was sent
	 */
	@Nullable DeadReason reason() {
		return constant("reason", DeadReason.values());
	}

	private <E extends Enum<E>> @Nullable E constant(String name, E[] allowed) {
		String value = this.values.get(name);
		if (value == null) {
			return null;
		}
		return Arrays.stream(allowed)
			.filter((constant) -> constant.name().equals(value.toUpperCase(Locale.ROOT)))
			.findFirst()
			.orElseThrow(() -> invalid("The " + name + " has to be one of: "
					+ Arrays.stream(allowed).map(Enum::name).collect(Collectors.joining(", "))));
	}

	/**
	 * A delay, as in properties.
	 * @return the delay, {@code null} if none was sent
	 */
	@Nullable Duration delay() {
		String value = this.values.get("delay");
		try {
			return (value != null) ? DurationStyle.detectAndParse(value) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid("The delay has to be a duration as 10m, PT1H30M or, in milliseconds, 500");
		}
	}

	/**
	 * An instant.
	 * @return the instant, {@code null} if none was sent
	 */
	@Nullable Instant at() {
		String value = this.values.get("at");
		try {
			return (value != null) ? OffsetDateTime.parse(value).toInstant() : null;
		}
		catch (DateTimeParseException ex) {
			throw invalid("'at' has to be a date and time with an offset, as 2026-01-31T09:00:00Z or "
					+ "2026-01-31T09:00:00+01:00");
		}
	}

	QueueRequestException invalid(String sentence) {
		return QueueRequestException.badRequest(this.queue, sentence);
	}

	/** For the log: names, ids and times, never a payload. */
	@Override
	public String toString() {
		return this.values.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + Names.printable(entry.getValue()))
			.collect(Collectors.joining(", "));
	}

}
