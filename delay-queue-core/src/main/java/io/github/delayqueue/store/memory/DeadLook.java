package io.github.delayqueue.store.memory;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.store.StoredTask;

/** Looks through dead letters for what they have died of. */
record DeadLook(TaskTable table) {

	private static final Pattern CAUSE = Pattern.compile("\\{\"cause\":\"([0-9a-f]+)\"");

	private static final Pattern OLDER = Pattern.compile("\\{\"reason\":\"[A-Z_]*\"(?:,\"type\":\"[^\"]*\")?");

	private static final Pattern CURSOR = Pattern.compile("(\\d{1,18}):(.+)", Pattern.DOTALL);

	DeadPage look(DeadSearch search) {
		List<TaskEntry> entries = behind(search.cursor(), DueMillis.bounded(search.until()));
		Map<String, DeadPage.Group> groups = new LinkedHashMap<>();
		List<StoredTask> tasks = new ArrayList<>();
		int looked = 0;
		while (looked < Math.min(entries.size(), DeadSearch.MAX_LOOKS)
				&& (search.tasks() == 0 || tasks.size() < search.tasks())) {
			TaskEntry entry = entries.get(looked++);
			String cause = cause(entry.failure());
			Instant at = Instant.ofEpochMilli(entry.score());
			if (search.tasks() == 0) {
				groups.merge(cause, new DeadPage.Group(cause, 1, at, at, entry.id(), entry.failure()),
						DeadPage.Group::plus);
			}
			else if (search.cause() == null || search.cause().equals(cause)) {
				StoredTask task = entry.toStoredTask(false);
				tasks.add(search.whole() ? task
						: new StoredTask(task.id(), task.state(), at, null, TaskPriority.NORMAL, 0, 0, null, null));
			}
		}
		TaskEntry last = (looked < entries.size()) ? entries.get(looked - 1) : null;
		return new DeadPage(looked, List.copyOf(groups.values()), tasks,
				(last != null) ? last.score() + ":" + last.id() : null);
	}

	private List<TaskEntry> behind(@Nullable String cursor, long untilMillis) {
		List<TaskEntry> dead = this.table.reached(TaskState.DEAD, untilMillis, Long.MAX_VALUE).toList();
		if (cursor == null) {
			return dead;
		}
		Matcher matcher = CURSOR.matcher(cursor);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("The cursor is not one that was returned");
		}
		TaskEntry last = new TaskEntry(matcher.group(2), new byte[0], TaskPriority.NORMAL, TaskState.DEAD,
				Long.parseLong(matcher.group(1)), DeliveryState.NONE, null);
		return dead.stream().filter((entry) -> TaskEntry.ORDER.compare(entry, last) > 0).toList();
	}

	/** As the store in Redis does it. */
	private static String cause(byte @Nullable [] failure) {
		if (failure == null) {
			return DeadSearch.NO_FAILURE;
		}
		String text = new String(failure, StandardCharsets.ISO_8859_1);
		Matcher cause = CAUSE.matcher(text);
		if (cause.lookingAt()) {
			return cause.group(1);
		}
		Matcher older = OLDER.matcher(text);
		return sha1(older.lookingAt() ? older.group() : "").substring(0, 16);
	}

	private static String sha1(String text) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.ISO_8859_1)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
