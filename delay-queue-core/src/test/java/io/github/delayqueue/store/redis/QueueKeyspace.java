package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.delayqueue.testsupport.TestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis holds of one queue, read and written with plain commands.
 */
final class QueueKeyspace {

	private static final List<String> INDEXES = List.of("", ":high", ":low", ":leases", ":completed", ":dead");

	private static final List<String> HASHES = List.of(":tasks", ":deliveries", ":errors", ":meta");

	private final TestServer server;

	private final String base;

	QueueKeyspace(TestServer server, String prefix, String queue) {
		this.server = server;
		this.base = prefix + "{" + queue + "}";
	}

	/**
	 * Put entries into an index or a hash.
	 * @param suffix the key after the base name
	 * @param entries id and score, or field and value
	 * @return this
	 */
	QueueKeyspace seed(String suffix, String... entries) {
		for (int i = 0; i < entries.length; i += 2) {
			if (INDEXES.contains(suffix)) {
				this.server.cli("ZADD", this.base + suffix, entries[i + 1], entries[i]);
			}
			else {
				this.server.cli("HSET", this.base + suffix, entries[i], entries[i + 1]);
			}
		}
		return this;
	}

	/**
	 * Everything there is, as lines {@code suffix id=score …}, keys and entries sorted.
	 * @return the lines
	 */
	List<String> dump() {
		List<String> lines = new ArrayList<>();
		INDEXES.forEach((suffix) -> addLine(lines, suffix, index(suffix)));
		HASHES.forEach((suffix) -> addLine(lines, suffix, hash(suffix)));
		return lines;
	}

	private static void addLine(List<String> lines, String suffix, Map<String, String> entries) {
		if (!entries.isEmpty()) {
			StringBuilder line = new StringBuilder(suffix.isEmpty() ? "base" : suffix.substring(1));
			entries.forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
			lines.add(line.toString());
		}
	}

	private Map<String, String> index(String suffix) {
		return pairs(this.server.cli("ZRANGE", this.base + suffix, "0", "-1", "WITHSCORES"));
	}

	private Map<String, String> hash(String suffix) {
		return pairs(this.server.cli("HGETALL", this.base + suffix));
	}

	private static Map<String, String> pairs(Object reply) {
		Map<String, String> pairs = new TreeMap<>();
		List<?> values = (List<?>) reply;
		for (int i = 0; i < values.size(); i += 2) {
			pairs.put((String) values.get(i), (String) values.get(i + 1));
		}
		return pairs;
	}

	/**
	 * Each id of tasks is in exactly one index; each indexed id is in tasks, except for
	 * dead ones; deliveries and errors hold only ids of tasks; a token is present exactly
	 * for ids in leases; no key expires; the totals add up.
	 */
	void assertInvariant() {
		Map<String, Integer> places = new HashMap<>();
		INDEXES.forEach((suffix) -> index(suffix).keySet().forEach((id) -> places.merge(id, 1, Integer::sum)));
		assertThat(places.values()).as("places of each id").allMatch((count) -> count == 1);
		Set<String> tasks = hash(":tasks").keySet();
		Set<String> indexed = new HashSet<>(places.keySet());
		Set<String> orphans = new HashSet<>(index(":dead").keySet());
		orphans.removeAll(tasks);
		indexed.removeAll(orphans);
		assertThat(indexed).as("ids in an index").isEqualTo(tasks);
		assertThat(tasks).as("ids of tasks").containsAll(hash(":deliveries").keySet());
		assertThat(tasks).as("ids of tasks").containsAll(hash(":errors").keySet());
		hash(":deliveries").forEach((id, record) -> assertThat(!record.endsWith(":")).as("token of " + id)
			.isEqualTo(index(":leases").containsKey(id)));
		assertThat(total("orphans")).as("orphans").isEqualTo(orphans.size());
		assertThat(total("scheduled")).as("sum of the totals")
			.isEqualTo(size("") + size(":high") + size(":low") + size(":leases") + size(":dead") + total("completed")
					+ total("cancelled") + total("replaced") + total("cleared") + total("purged"));
		INDEXES.forEach(this::assertNoExpiry);
		HASHES.forEach(this::assertNoExpiry);
	}

	private void assertNoExpiry(String suffix) {
		assertThat((Long) this.server.cli("PTTL", this.base + suffix)).as("expiry of " + suffix).isLessThan(0);
	}

	private long total(String field) {
		return Long.parseLong(hash(":meta").getOrDefault(field, "0"));
	}

	private long size(String suffix) {
		return index(suffix).size();
	}

}
