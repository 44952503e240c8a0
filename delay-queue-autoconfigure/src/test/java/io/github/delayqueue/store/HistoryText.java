package io.github.delayqueue.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * How the parts of an operation are printed: short, and times as distance from the
 * beginning of the history.
 */
final class HistoryText {

	private static final int SHOWN = 8;

	private static final long START = TaskStoreFixture.START.toEpochMilli();

	private HistoryText() {
	}

	static <T> String list(List<T> list, Function<T, String> element) {
		String shown = list.stream().limit(SHOWN).map(element).collect(Collectors.joining("; "));
		return (list.size() > SHOWN) ? shown + "; … " + list.size() + " in all" : shown;
	}

	static String id(String id) {
		return (id.contains(" ") || id.isEmpty()) ? "'" + id + "'" : id;
	}

	static String duration(@Nullable Duration duration) {
		if (duration == null) {
			return "for ever";
		}
		if (duration.compareTo(ChronoUnit.DAYS.getDuration()) >= 0) {
			return duration.toDays() + " days";
		}
		long micros = duration.toNanos() / 1000;
		return (micros % 1000 == 0) ? micros / 1000 + " ms" : micros + " us";
	}

	static String due(DueTime due) {
		return due.relative() ? "in " + due.millis() + " ms" : "at " + at(due.millis());
	}

	static String at(long epochMillis) {
		return "%+d ms".formatted(epochMillis - START);
	}

	static String retention(Retention retention) {
		String text = duration(retention.completed());
		if (retention.dead() != null || retention.deadMaxSize() != null) {
			text += ", dead " + duration(retention.dead());
		}
		return (retention.deadMaxSize() != null) ? text + ", at most " + retention.deadMaxSize() : text;
	}

	static String believed(PartitionCounts counts) {
		return counts.equals(PartitionCounts.UNCHECKED) ? "" : ", believing in partitions " + counts;
	}

	static String limits(FlowLimits limits) {
		RateLimit rate = limits.rate();
		String text = (rate != null) ? ", " + rate.tasks() + " in " + duration(rate.period()) : "";
		return (limits.inFlight() != null) ? text + ", " + limits.inFlight() + " in flight" : text;
	}

	static String generation(NewTask task) {
		return id(task.id()) + " " + envelope(task.envelope());
	}

	static String envelope(byte[] envelope) {
		OptionalLong generation = Generation.of(envelope);
		return generation.isPresent() ? "of generation " + generation.getAsLong() : bytes(envelope);
	}

	static String bytes(byte[] bytes) {
		return (bytes.length <= 2) ? "0x" + HexFormat.of().formatHex(bytes) : bytes.length + " bytes";
	}

}
