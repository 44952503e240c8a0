package io.github.delayqueue.management;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.redis.DeliveryRecord;
import io.github.delayqueue.store.redis.Replies;

/** Reads the replies of {@link ManagementScripts}. */
final class LookReplies {

	private static final Pattern HOUR = Pattern.compile("\\d{1,9}( \\d{1,18}){5}");

	private LookReplies() {
	}

	static List<StoredTask> tasks(List<?> reply) {
		List<StoredTask> tasks = new ArrayList<>(reply.size() / 7);
		for (int i = 0; i < reply.size(); i += 7) {
			TaskState state = TaskState.valueOf(Replies.text(reply.get(i)).toUpperCase(Locale.ROOT));
			Instant at = instant(reply.get(i + 2));
			String index = Replies.text(reply.get(i + 3));
			String recordText = Replies.text(reply.get(i + 4));
			DeliveryRecord record = DeliveryRecord.parse(recordText);
			byte @Nullable [] envelope = (byte[]) reply.get(i + 5);
			tasks.add(new StoredTask(Replies.id(reply.get(i + 1)), state, at, dueAt(state, at, record),
					priority(index, record), (record != null) ? record.failures() : 0,
					(record != null) ? record.leasesLost() : 0, envelope, (byte[]) reply.get(i + 6)));
		}
		return tasks;
	}

	static DeadPage dead(List<?> reply) {
		List<DeadPage.Group> groups = new ArrayList<>();
		List<?> values = (List<?>) reply.get(3);
		for (int i = 0; i < values.size(); i += 6) {
			groups.add(new DeadPage.Group(Replies.text(values.get(i)), (Long) values.get(i + 1),
					instant(values.get(i + 2)), instant(values.get(i + 3)), Replies.id(values.get(i + 4)),
					(byte[]) values.get(i + 5)));
		}
		String score = Replies.text(reply.get(1));
		return new DeadPage(Math.toIntExact((Long) reply.get(0)), groups, tasks((List<?>) reply.get(4)),
				score.isEmpty() ? null : score + ":" + Replies.id(reply.get(2)));
	}

	private static Instant instant(Object score) {
		return DeliveryRecord.instant(score(Replies.text(score)));
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
		Instant now = Replies.instantOfMicros((Long) reply.get(0));
		long nextMillis = (Long) reply.get(9);
		Map<String, String> meta = new HashMap<>();
		List<?> fields = (List<?>) reply.get(10);
		for (int i = 0; i < fields.size(); i += 2) {
			meta.put(Replies.text(fields.get(i)), Replies.text(fields.get(i + 1)));
		}
		return new QueueStats((Long) reply.get(1), (Long) reply.get(2), (Long) reply.get(3), (Long) reply.get(4),
				(Long) reply.get(5), (Long) reply.get(6), (Long) reply.get(7), 0, since((Long) reply.get(8), now),
				(nextMillis >= 0) ? Instant.ofEpochMilli(nextMillis) : null, "1".equals(meta.get("paused")),
				new QueueStats.Totals(total(meta, "scheduled"), total(meta, "completed"), total(meta, "retried"),
						total(meta, "buried"), total(meta, "cancelled"), total(meta, "replaced"),
						total(meta, "cleared"), total(meta, "purged"), total(meta, "redriven"), total(meta, "expired"),
						total(meta, "stale")),
				SourceNames.count(meta.getOrDefault("partitions", "1")),
				QueueStats.Delays.of(((List<?>) reply.get(11)).stream().mapToLong((tasks) -> (Long) tasks).toArray()),
				(Long) reply.get(12), since((Long) reply.get(13), now));
	}

	static Function<List<?>, List<Long>> numbers(int expected) {
		return (reply) -> Replies.requireSize(reply, expected)
			.stream()
			.map(Long.class::cast)
			.map(Objects::requireNonNull)
			.toList();
	}

	private static Duration since(long millis, Instant now) {
		return (millis >= 0) ? Duration.between(Instant.ofEpochMilli(millis), now) : Duration.ZERO;
	}

	static Function<List<?>, Forecast> forecast(int bars) {
		return numbers(bars + 1)
			.andThen((counts) -> new Forecast(counts.get(0), counts.subList(1, counts.size()), true));
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

	/** Any double can be a score, infinite ones included. */
	private static long score(String text) {
		return (long) Double.parseDouble(text.replace("inf", "Infinity"));
	}

}
