package io.github.delayqueue.fleet;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What it costs Redis to look at traces of instances, by its own account: no step reads
 * all of many large ones.
 */
class AttendanceIntegrationTests {

	private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	private static final Pattern OUTPUT = Pattern.compile("total_net_output_bytes:(\\d+)");

	private static final String KEY = "delay:queue:instances";

	private static final int INSTANCES = 100;

	/** Of a page, and the trace with which it ends. */
	private static final long MOST_BYTES = 512 * 1024;

	@Test
	void noStepReadsMoreThanAFewOfManyLargeTraces() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = DriverStores.on(server)) {
			InstanceTraces store = stores.open().requireRole(InstanceTraces.class);
			String trace = trace();
			List<String> instances = IntStream.range(0, INSTANCES)
				.mapToObj((i) -> UUID.randomUUID().toString())
				.toList();
			instances.forEach((instance) -> store.attend(instance, trace));

			long sent = sent(server,
					() -> assertThat(store.attendance().orElseThrow())
						.allSatisfy((one) -> assertThat(one.trace()).isEqualTo(trace))
						.extracting(Attendance::instance)
						.containsExactlyInAnyOrderElementsOf(instances));
			assertThat(sent / calls(server)).isLessThan(MOST_BYTES);

			long sentForANewOne = sent(server, () -> store.attend(UUID.randomUUID().toString(), trace));
			assertThat(sentForANewOne).isLessThan(MOST_BYTES);
			assertThat(INSTANCES * (long) trace.length() / calls(server)).isLessThan(MOST_BYTES);
		}
	}

	@Test
	void whatEarlierVersionsAndOthersLeftThereIsNoTraceAndIsForgotten() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = DriverStores.on(server)) {
			InstanceTraces store = stores.open().requireRole(InstanceTraces.class);
			long now = server.time().toEpochMilli();
			server.cli("HSET", KEY, "other/order", now + " {\"do\":\"stop\"}");
			server.cli("HSET", KEY, "garbage", "no trace");
			server.cli("HSET", KEY, "huge", "9".repeat(400) + " far in the future");
			server.cli("HSET", KEY, "one", now + " trace");
			assertThat(store.attendance().orElseThrow()).extracting(Attendance::instance).containsExactly("one");
			store.attend("one", "the same");
			assertThat(server.cli("HLEN", KEY)).isEqualTo(4L);
			store.attend("two", "new");
			assertThat(store.attendance().orElseThrow()).extracting(Attendance::instance)
				.containsExactlyInAnyOrder("one", "two");
			assertThat(server.cli("HLEN", KEY)).isEqualTo(2L);
		}
	}

	private static String trace() {
		List<String> consumers = IntStream.range(0, 1000)
			.mapToObj((
					i) -> "{\"listener\":\"orders.close-%d\",\"queue\":\"order_timeout_%d\",\"workers\":8,\"active\":3,"
						.formatted(i, i) + "\"since\":59000,\"polledAgo\":412}")
			.toList();
		return "{\"host\":\"shop\",\"pid\":1,\"every\":20000,\"consumers\":[" + String.join(",", consumers) + "]}";
	}

	private static long sent(RedisServer server, Runnable step) {
		server.cli("CONFIG", "RESETSTAT");
		step.run();
		return number(OUTPUT, server, "stats");
	}

	private static long calls(RedisServer server) {
		return number(CALLS, server, "commandstats");
	}

	private static long number(Pattern pattern, RedisServer server, String section) {
		Matcher matcher = pattern.matcher(server.text("INFO", section));
		assertThat(matcher.find()).isTrue();
		return Long.parseLong(Objects.requireNonNull(matcher.group(1)));
	}

}
