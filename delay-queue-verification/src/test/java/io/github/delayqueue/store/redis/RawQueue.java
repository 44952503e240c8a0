package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.QueueImage;
import io.github.delayqueue.store.QueueImage.Bytes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis holds of a queue as it lies there, in the reply of {@code look.lua}.
 */
final class RawQueue {

	private static final Pattern DELIVERIES = Pattern.compile("(\\d+):(\\d+):([hnl]):(\\d+):([^:]*)");

	/** The layout of queues that have groups. */
	private static final String GROUPED = "2 (groups.enabled)";

	/** From here on scores are those of tasks of a group. */
	private static final double FIRST_SLOT = 0x1p52;

	private static final TaskPriority[] PRIORITIES = { TaskPriority.NORMAL, TaskPriority.HIGH, TaskPriority.LOW };

	private static final TaskState[] OTHERS = { TaskState.IN_FLIGHT, TaskState.COMPLETED, TaskState.DEAD };

	private static final Set<String> META = Set.of("layout", "paused", "partitions", "orphans", "scheduled",
			"completed", "retried", "buried", "cancelled", "replaced", "cleared", "purged", "redriven", "expired",
			"stale", "rate", "full", "epoch", "beat", "late", "handling", "hour", "holders", "tended");

	private final List<Map<String, Bytes>> indexes;

	private final Map<String, Bytes> tasks;

	private final Map<String, Bytes> deliveries;

	private final Map<String, Bytes> errors;

	private final Map<String, Bytes> meta;

	private final List<byte[]> expiring;

	RawQueue(List<List<byte[]>> reply) {
		List<Map<String, Bytes>> maps = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			maps.add(pairs(reply.get(i)));
		}
		this.indexes = maps.subList(0, 6);
		this.tasks = maps.get(6);
		this.deliveries = maps.get(7);
		this.errors = maps.get(8);
		this.meta = maps.get(9);
		this.expiring = reply.get(11);
	}

	private static Map<String, Bytes> pairs(List<byte[]> values) {
		Map<String, Bytes> pairs = new HashMap<>();
		for (int i = 0; i < values.size(); i += 2) {
			pairs.put(new String(values.get(i), StandardCharsets.UTF_8), Bytes.of(values.get(i + 1)));
		}
		return pairs;
	}

	/**
	 * Each id of tasks is in exactly one index, and the other way round: these histories
	 * lose no records. Deliveries and errors hold only ids of tasks; a token is present
	 * exactly for ids in leases; no key expires; nothing unknown is in meta.
	 */
	void assertInvariant() {
		Set<String> indexed = new HashSet<>();
		this.indexes.forEach((index) -> index.keySet().forEach((id) -> {
			if (!indexed.add(id)) {
				throw new AssertionError("'" + id + "' is in more than one index");
			}
		}));
		assertSame("ids in an index and ids of tasks", indexed, this.tasks.keySet());
		assertAmongTasks("ids of deliveries", this.deliveries.keySet());
		assertAmongTasks("ids of errors", this.errors.keySet());
		this.deliveries.forEach((id, record) -> {
			boolean hasToken = !record.latin1().endsWith(":");
			if (hasToken != this.indexes.get(3).containsKey(id)) {
				throw new AssertionError("'" + id + "' has a token: " + hasToken + ", and is in leases: " + !hasToken);
			}
		});
		assertThat(this.expiring).as("keys that expire").isEmpty();
		assertThat(META).as("fields of meta").containsAll(this.meta.keySet());
		assertThat(total("orphans")).as("orphans").isZero();
		assertThat(text("layout")).as("layout")
			.isIn((total("scheduled") > 0) ? new Object[] { "1", GROUPED } : new Object[] { null });
	}

	/** Thousands of times for hundreds of ids: AssertJ compares each with each. */
	private void assertAmongTasks(String what, Set<String> ids) {
		if (!this.tasks.keySet().containsAll(ids)) {
			assertThat(ids).as(what).isSubsetOf(this.tasks.keySet());
		}
	}

	private static void assertSame(String what, Set<String> one, Set<String> other) {
		if (!one.equals(other)) {
			assertThat(one).as(what).isEqualTo(other);
		}
	}

	QueueImage toImage() {
		SortedMap<String, QueueImage.Task> image = new TreeMap<>();
		for (int i = 0; i < PRIORITIES.length; i++) {
			TaskPriority priority = PRIORITIES[i];
			this.indexes.get(i).forEach((id, score) -> image.put(id, task(TaskState.SCHEDULED, priority, id, score)));
		}
		for (int i = 0; i < OTHERS.length; i++) {
			TaskState state = OTHERS[i];
			this.indexes.get(3 + i).forEach((id, score) -> image.put(id, task(state, null, id, score)));
		}
		return new QueueImage(image, "1".equals(text("paused")), Objects.requireNonNullElse(text("partitions"), "1"),
				(text("epoch") != null) ? text("epoch") + " " + text("beat") : "",
				new Totals(total("scheduled"), total("completed"), total("retried"), total("buried"),
						total("cancelled"), total("replaced"), total("cleared"), total("purged"), total("redriven"),
						total("expired"), total("stale")));
	}

	private QueueImage.Task task(TaskState state, @Nullable TaskPriority indexed, String id, Bytes score) {
		Bytes record = this.deliveries.get(id);
		QueueImage.Deliveries deliveries = null;
		TaskPriority priority = indexed;
		if (record != null) {
			Matcher parts = DELIVERIES.matcher(record.latin1());
			assertThat(parts.matches()).as("form of the deliveries of '%s': %s", id, record.latin1()).isTrue();
			deliveries = new QueueImage.Deliveries(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)),
					Long.parseLong(parts.group(4)), parts.group(5).isEmpty() ? null : parts.group(5));
			priority = DeliveryRecord.priority(parts.group(3).charAt(0));
			if (indexed != null) {
				assertThat(priority).as("priority in the deliveries of '%s'", id).isEqualTo(indexed);
			}
		}
		assertThat(priority).as("priority of '%s', which is %s", id, state).isNotNull();
		return new QueueImage.Task(state, priority, millis(score), deliveries, this.tasks.get(id), this.errors.get(id));
	}

	private static long millis(Bytes score) {
		double value = Double.parseDouble(score.latin1());
		if (value >= FIRST_SLOT) {
			// 10 bits of a slot and 42 of a due time
			return (long) (value / Math.scalb(1, Math.getExponent(value) - 52)) % (1L << 42);
		}
		assertThat(value).as("whole milliseconds").isEqualTo((long) value);
		return (long) value;
	}

	private long total(String field) {
		String value = text(field);
		return (value != null) ? Long.parseLong(value) : 0;
	}

	private @Nullable String text(String field) {
		Bytes value = this.meta.get(field);
		return (value != null) ? value.latin1() : null;
	}

}
