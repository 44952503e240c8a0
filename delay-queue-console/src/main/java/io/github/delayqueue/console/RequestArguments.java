package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DueSpan;

/**
 * What somebody has sent along with a request, as text. Says in a sentence what is wrong
 * with it.
 */
final class RequestArguments {

	private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

	private static final Pattern CAUSE = Pattern.compile("[0-9a-f]{16}|" + DeadSearch.NO_FAILURE);

	/** What it is about, {@code null} for no single one. */
	private final @Nullable String queue;

	private final Map<String, String> values;

	/** Values that are {@code null} were not sent. */
	RequestArguments(@Nullable String queue, Map<String, @Nullable String> values) {
		this.queue = queue;
		this.values = new TreeMap<>(values);
		this.values.values().removeIf(Objects::isNull);
	}

	/** Names, each before its value. */
	static Map<String, @Nullable String> named(@Nullable String... namesAndValues) {
		Map<String, @Nullable String> values = new HashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			values.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
		}
		return values;
	}

	/**
	 * What was sent with a request, as text.
	 * @throws QueueRequestException if a value is none
	 */
	static Map<String, @Nullable String> texts(@Nullable String queue, @Nullable Map<String, Object> sent) {
		Map<String, @Nullable String> texts = new HashMap<>();
		Objects.requireNonNullElse(sent, Map.<String, Object>of()).forEach((name, value) -> {
			if (value instanceof Iterable) {
				throw QueueRequestException.badRequest(queue, "'" + name + "' must be one text or number");
			}
			texts.put(name, (value != null) ? value.toString() : null);
		});
		return texts;
	}

	/** Refuse what would have no effect: whoever sends it expects one. */
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
		String value = this.values.getOrDefault(name, String.valueOf(defaultValue));
		int number = NUMBER.matcher(value).matches() ? Integer.parseInt(value) : min - 1;
		if (number < min || number > max) {
			throw invalid("The " + name + " must be a number from " + min + " to " + max);
		}
		return number;
	}

	TaskState state(TaskState defaultValue, TaskState... allowed) {
		return Objects.requireNonNullElse(constant("state", allowed), defaultValue);
	}

	/** Which tasks to list, scheduled ones if it was not sent. */
	Listed listed() {
		return Objects.requireNonNullElse(constant("state", Listed.values()), Listed.SCHEDULED);
	}

	/** The states of tasks, and the part of one that is due. */
	enum Listed {

		SCHEDULED, IN_FLIGHT, COMPLETED, DEAD, DUE;

		TaskState state() {
			return (this == DUE) ? TaskState.SCHEDULED : TaskState.valueOf(name());
		}

	}

	/** What tasks have died of, {@code null} if it was not sent. */
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
			.orElseThrow(() -> invalid("The " + name + " must be one of: "
					+ Arrays.stream(allowed).map(Enum::name).collect(Collectors.joining(", "))));
	}

	/** A duration, as in properties, {@code null} if it was not sent. */
	@Nullable Duration duration(String name) {
		String value = this.values.get(name);
		try {
			return (value != null) ? DurationStyle.detectAndParse(value) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid("The " + name + " must be a duration as 10m, PT1H30M or, in milliseconds, 500");
		}
	}

	@Nullable Instant instant(String name) {
		String value = this.values.get(name);
		try {
			Instant instant = (value != null) ? OffsetDateTime.parse(value).toInstant() : null;
			if (instant != null) {
				instant.toEpochMilli();
			}
			return instant;
		}
		catch (DateTimeParseException | ArithmeticException ex) {
			throw invalid("'" + name + "' must be a date and time with an offset, as 2026-01-31T09:00:00Z or "
					+ "2026-01-31T09:00:00+01:00");
		}
	}

	/** After which delay, and over which time, tasks fall due. */
	DueSpan span() {
		Duration delay = Objects.requireNonNullElse(duration("delay"), Duration.ZERO);
		Duration spread = Objects.requireNonNullElse(duration("spread"), Duration.ZERO);
		try {
			return new DueSpan(delay, spread);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid("Delay and spread must not be negative, and have to end within 24 hours");
		}
	}

	/** What tasks have died of, {@code null} if it was not sent. */
	@Nullable String cause() {
		String value = this.values.get("cause");
		if (value != null && !CAUSE.matcher(value).matches()) {
			throw invalid("The cause must be one that 'dead' shows: sixteen hexadecimal digits, or none");
		}
		return value;
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
