package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deliveries that somebody has made longer than any of ours are not read by the steps of
 * consumers: Redis would stand still for as long as that takes.
 */
class LongRecordsIntegrationTests {

	private static final Map<String, Consumer<RedisTaskStore>> STEPS = Map.of("claim",
			(store) -> assertThat(store.claim("q", ClaimRequest.of("t", 20, Duration.ofHours(1))).tasks()).hasSize(10),
			"settle", (store) -> store.settle("q", ids().map((id) -> Settlement.release(id, "token", null)).toList()),
			"extend",
			(store) -> store.extend("q", ids().map((id) -> new Extension(id, "token", Duration.ofSeconds(9))).toList()),
			"redrive", (store) -> store.redrive("q", List.of("dead")));

	@ParameterizedTest
	@ValueSource(strings = { "claim", "settle", "extend", "redrive" })
	void areNotRead(String step) {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server).keyPrefix("k:")) {
			RedisTaskStore store = stores.open();
			long ours = reads(server, store, step, "0:0:n:9000:token");
			long tooLong = reads(server, store, step, "0:0:n:9000:" + "x".repeat(1_000_000));
			assertThat(tooLong).as("reads of hashes, %d where records are ours", ours).isEqualTo(ours - 1);
		}
	}

	private static long reads(RedisServer server, RedisTaskStore store, String step, String record) {
		store.clear("q");
		Stream.concat(ids(), Stream.of("dead")).forEach((id) -> {
			server.cli("ZADD", "k:{q}" + (id.equals("dead") ? ":dead" : ":leases"), "9000", id);
			server.cli("HSET", "k:{q}:tasks", id, "{}");
			server.cli("HSET", "k:{q}:deliveries", id, record);
		});
		// so that the script is there
		store.extend("q", List.of(new Extension("none", "t", Duration.ofSeconds(9))));
		server.cli("CONFIG", "RESETSTAT");
		STEPS.get(step).accept(store);
		return server.calls("hget", "hmget");
	}

	private static Stream<String> ids() {
		return IntStream.range(0, 10).mapToObj((i) -> "x" + i);
	}

}
