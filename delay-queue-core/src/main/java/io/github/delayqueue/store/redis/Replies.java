package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.TypeMismatchDataAccessException;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DeadPage;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.Forecast;
import io.github.delayqueue.store.History;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.Tended;

/** Reads the replies of scripts, which are integers, byte strings, and lists of those. */
public final class Replies {

	private static final Pattern HOLDER = Pattern.compile("[A-Za-z0-9]+[~?]");

	private static final ScheduleOutcome[] OUTCOMES = { ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED,
			ScheduleOutcome.REJECTED };

	private static final Pattern HOUR = Pattern.compile("\\d{1,9}( \\d{1,18}){5}");

	private Replies() {
	}

	/** Of a byte string. */
	public static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	static PurgeReply purged(List<?> reply) {
		return new PurgeReply((Long) reply.get(0), (Long) reply.get(1));
	}

	/** How many tasks a purge has forgotten, and how many it has not looked at. */
	record PurgeReply(long tasks, long left) {

	}

	/** The first of it. */
	public static long number(List<?> reply) {
		return (Long) reply.get(0);
	}

	/**
	 * Read a reply that may not be of the shape that it should be of.
	 * @param queue to which queue, or source of one; {@code null} to none
	 * @throws StoreUnavailableException if it is of another shape: who knows then what
	 * has been done
	 */
	static <R, T> T read(String step, @Nullable String queue, R reply, Function<R, T> reader) {
		try {
			return reader.apply(reply);
		}
		catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | IllegalArgumentException
				| IllegalStateException | ArithmeticException | DateTimeException ex) {
			throw RedisErrors.translate(step, queue, new TypeMismatchDataAccessException(ex.getMessage(), ex),
					Duration.ZERO);
		}
	}

	static boolean flag(List<?> reply) {
		return (Long) reply.get(0) == 1;
	}

	static Function<List<?>, List<Boolean>> flags(int expected) {
		return (reply) -> requireSize(reply, expected).stream().map((flag) -> (Long) flag == 1).toList();
	}

	static Function<List<?>, List<ScheduleOutcome>> outcomes(int expected) {
		return (reply) -> requireSize(reply, expected).stream()
			.map((outcome) -> OUTCOMES[((Long) outcome).intValue()])
			.toList();
	}

	private static List<?> requireSize(List<?> reply, int expected) {
		if (reply.size() != expected) {
			throw new IllegalStateException(reply.size() + " answers, not " + expected);
		}
		return reply;
	}

	/** Ids and tokens. */
	static Map<String, String> claimed(List<?> reply) {
		Map<String, String> tokens = new LinkedHashMap<>();
		for (int i = 0; i < reply.size(); i += 2) {
			tokens.put(IdText.decode((byte[]) reply.get(i)), text(reply.get(i + 1)));
		}
		return tokens;
	}

	/** Whether a claim arrived after its deadline and took nothing. */
	static boolean isTooLate(List<?> reply) {
		return reply.size() == 1;
	}

	static ClaimResult claim(List<?> reply) {
		long wakeMicros = (Long) reply.get(1);
		List<?> values = (List<?>) reply.get(3);
		List<ClaimedRecord> tasks = new ArrayList<>(values.size() / 4);
		// tasks that were due at the same time often have the same record
		byte[] recordBytes = new byte[0];
		DeliveryRecord record = null;
		boolean leaseLost = false;
		for (int i = 0; i < values.size(); i += 4) {
			if (record == null || !Arrays.equals(recordBytes, (byte[]) values.get(i + 2))) {
				recordBytes = (byte[]) values.get(i + 2);
				String text = text(recordBytes);
				record = DeliveryRecord.parse(text);
				leaseLost = text.endsWith(":expired");
			}
			if (record == null) {
				throw new IllegalStateException("A claim returned an invalid delivery");
			}
			tasks.add(new ClaimedRecord(id(values.get(i)), (byte[]) values.get(i + 1), record.priority(),
					record.dueAt(), record.failures(), record.leasesLost(), leaseLost, (byte[]) values.get(i + 3)));
		}
		return new ClaimResult(tasks, instantOfMicros((Long) reply.get(0)),
				(wakeMicros >= 0) ? Duration.of(wakeMicros, ChronoUnit.MICROS) : null, (Long) reply.get(2) == 1,
				notes(reply));
	}

	private static ClaimNotes notes(List<?> reply) {
		return new ClaimNotes(ids((List<?>) reply.get(4)), (Long) reply.get(5) == 1,
				HOLDER.matcher(text(reply.get(6))).results().map(MatchResult::group).toList(),
				(Long) reply.get(7) == 1);
	}

	static Tended tended(List<?> reply) {
		return new Tended(ids((List<?>) reply.get(0)), (Long) reply.get(1) == 1);
	}

	static Epoch epoch(List<?> reply) {
		return new Epoch(text(reply.get(0)), (Long) reply.get(1), text(reply.get(2)));
	}

	static String sources(List<?> reply) {
		return text(reply.get(0));
	}

	static List<StoredTask> tasks(List<?> reply) {
		List<StoredTask> tasks = new ArrayList<>(reply.size() / 7);
		for (int i = 0; i < reply.size(); i += 7) {
			TaskState state = TaskState.valueOf(text(reply.get(i)).toUpperCase(Locale.ROOT));
			Instant at = instant(reply.get(i + 2));
			String index = text(reply.get(i + 3));
			String recordText = text(reply.get(i + 4));
			DeliveryRecord record = DeliveryRecord.parse(recordText);
			byte @Nullable [] envelope = (byte[]) reply.get(i + 5);
			tasks.add(new StoredTask(id(reply.get(i + 1)), state, at, dueAt(state, at, record), priority(index, record),
					(record != null) ? record.failures() : 0, (record != null) ? record.leasesLost() : 0, envelope,
					(byte[]) reply.get(i + 6)));
		}
		return tasks;
	}

	static DeadPage dead(List<?> reply) {
		List<DeadPage.Group> groups = new ArrayList<>();
		List<?> values = (List<?>) reply.get(3);
		for (int i = 0; i < values.size(); i += 6) {
			groups.add(new DeadPage.Group(text(values.get(i)), (Long) values.get(i + 1), instant(values.get(i + 2)),
					instant(values.get(i + 3)), id(values.get(i + 4)), (byte[]) values.get(i + 5)));
		}
		String score = text(reply.get(1));
		return new DeadPage(Math.toIntExact((Long) reply.get(0)), groups, tasks((List<?>) reply.get(4)),
				score.isEmpty() ? null : score + ":" + id(reply.get(2)));
	}

	private static Instant instant(Object score) {
		return DeliveryRecord.instant(score(text(score)));
	}

	private static @Nullable Instant dueAt(TaskState state, Instant at, @Nullable DeliveryRecord record) {
		if (state == TaskState.SCHEDULED) {
			return at;
		}
		return (record != null) ? record.dueAt() : null;
	}

	private static TaskPriority priority(String index, @Nullable DeliveryRecord record) {
		if (!index.isEmpty()) {
			return DeliveryRecord.priority(index.charAt(0));
		}
		return (record != null) ? record.priority() : TaskPriority.NORMAL;
	}

	static QueueStats stats(List<?> reply) {
		Instant now = instantOfMicros((Long) reply.get(0));
		long nextMillis = (Long) reply.get(9);
		Map<String, String> meta = new HashMap<>();
		List<?> fields = (List<?>) reply.get(10);
		for (int i = 0; i < fields.size(); i += 2) {
			meta.put(text(fields.get(i)), text(fields.get(i + 1)));
		}
		return new QueueStats((Long) reply.get(1), (Long) reply.get(2), (Long) reply.get(3), (Long) reply.get(4),
				(Long) reply.get(5), (Long) reply.get(6), (Long) reply.get(7), 0, since((Long) reply.get(8), now),
				(nextMillis >= 0) ? Instant.ofEpochMilli(nextMillis) : null, "1".equals(meta.get("paused")),
				new QueueStats.Totals(total(meta, "scheduled"), total(meta, "completed"), total(meta, "retried"),
						total(meta, "buried"), total(meta, "cancelled"), total(meta, "replaced"),
						total(meta, "cleared"), total(meta, "purged"), total(meta, "redriven"), total(meta, "expired"),
						total(meta, "stale")),
				Sources.count(meta.getOrDefault("partitions", "1")),
				QueueStats.Delays.of(((List<?>) reply.get(11)).stream().mapToLong((tasks) -> (Long) tasks).toArray()),
				(Long) reply.get(12), since((Long) reply.get(13), now));
	}

	private static Duration since(long millis, Instant now) {
		return (millis >= 0) ? Duration.between(Instant.ofEpochMilli(millis), now) : Duration.ZERO;
	}

	static Function<List<?>, Forecast> forecast(int bars) {
		return (reply) -> {
			List<Long> counts = requireSize(reply, bars + 1).stream().map(Long.class::cast).toList();
			return new Forecast(counts.get(0), counts.subList(1, counts.size()), true);
		};
	}

	/** Without lines that somebody else has written. */
	static History history(List<?> reply) {
		return History.of(reply.stream().map(Replies::text).filter(HOUR.asMatchPredicate()).map((line) -> {
			long[] totals = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
			return new History.Totals(totals[0], totals[1], totals[2], totals[3], totals[4], totals[5]);
		}).toList());
	}

	/** What is no number counts as zero, as it does when the next one is added. */
	private static long total(Map<String, String> meta, String field) {
		try {
			return Long.parseLong(meta.getOrDefault(field, "0"));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	private static String id(Object value) {
		return IdText.decode((byte[]) value);
	}

	private static List<String> ids(List<?> values) {
		return values.stream().map(Replies::id).toList();
	}

	/** Any double can be a score, infinite ones included. */
	private static long score(String text) {
		return (long) switch (text) {
			case "inf" -> Double.POSITIVE_INFINITY;
			case "-inf" -> Double.NEGATIVE_INFINITY;
			default -> Double.parseDouble(text);
		};
	}

	private static Instant instantOfMicros(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

}
