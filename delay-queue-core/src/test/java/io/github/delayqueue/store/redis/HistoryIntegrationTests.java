package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.History.Hour;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestServer;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list of the last hours: how large it gets, what it costs, and what becomes of it
 * where others write.
 */
@EachServer
class HistoryIntegrationTests {

	private static final String PREFIX = "history:";

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final MutableClock clock = new MutableClock(START);

	private static TestServer server;

	private static RedisStores stores;

	private static RedisTaskStore store;

	@Parameter
	private TestServer parameter;

	private final String queue = UUID.randomUUID().toString();

	@BeforeParameterizedClassInvocation
	static void openStore(TestServer current) {
		server = current;
		stores = RedisStores.on(server).keyPrefix(PREFIX).clock(clock);
		store = stores.open();
	}

	@AfterParameterizedClassInvocation
	static void closeStore() {
		stores.close();
	}

	@Test
	void sevenDaysOfAnyTotalsTakeLessThan16Kilobytes() {
		clock.set(START);
		for (String total : List.of("scheduled", "completed", "retried", "buried", "late")) {
			server.cli("HSET", key(":meta"), total, "999999000000");
		}
		// a hundred workers for thirty years
		server.cli("HSET", key(":meta"), "handling", "94608000000000000");
		for (int hour = 0; hour < 2 * History.KEPT; hour++) {
			claim("t");
			server.cli("HINCRBY", key(":meta"), "completed", "1000");
			clock.advance(Duration.ofHours(1));
		}
		assertThat(server.cli("LLEN", key(":hours"))).isEqualTo(History.KEPT + 1L);
		assertThat((Long) server.cli("MEMORY", "USAGE", key(":hours"), "SAMPLES", "0")).isLessThanOrEqualTo(16_384);
		assertThat(QueueView.of(store).history(this.queue).hours()).hasSize(History.KEPT)
			.allMatch((hour) -> hour.completed() == 1000);
	}

	@Test
	void historyCostsAnythingOnlyWhereAnHourBegins() {
		clock.set(START);
		try (RedisServer own = this.parameter.newProcess().build().start();
				RedisStores ownStores = RedisStores.on(own).clock(clock)) {
			RedisTaskStore ownStore = ownStores.open();
			Runnable claim = () -> claim(ownStore, "q", "t");
			claim.run();
			assertThat(own.cli("KEYS", "*")).isEqualTo(List.of());
			ownStore.schedule("q", List.of(task("later", Duration.ofDays(9))));
			for (int hour = 0; hour < 3; hour++) {
				Map<String, Long> first = commands(own, claim);
				assertThat(first).containsEntry("ltrim", 1L).containsEntry("rpush", 1L).containsEntry("hset", 1L);
				for (int i = 0; i < 3; i++) {
					clock.advance(Duration.ofSeconds(1));
					assertThat(commands(own, claim)).containsOnlyKeys("evalsha", "hmget", "zrange", "zcard");
				}
				clock.advance(Duration.ofHours(1));
			}
		}
	}

	/** It knows neither the list nor the hour. */
	@Test
	void whatAnEarlierVersionForgetsIsAGap() {
		clock.set(START);
		complete("a");
		clock.advance(Duration.ofHours(1));
		complete("b");
		server.cli("DEL", key(":meta"));
		complete("c");
		clock.advance(Duration.ofHours(1));
		complete("d");
		assertThat(completed()).containsExactly(1L, 1L, 1L);
		for (String total : List.of("scheduled", "completed", "layout")) {
			server.cli("HDEL", key(":meta"), total);
		}
		assertThat(QueueView.of(store).history(this.queue).hours()).extracting(Hour::start)
			.containsExactly(START, START.plus(Duration.ofHours(1)));
		clock.advance(Duration.ofHours(1));
		complete("e");
		assertThat(QueueView.of(store).history(this.queue).hours()).extracting(Hour::start)
			.containsExactly(START, START.plus(Duration.ofHours(1)), START.plus(Duration.ofHours(3)));
		assertThat(completed()).containsExactly(1L, 1L, 1L);
	}

	@Test
	void whatTheFirstClaimOfAnHourFindsDeadIsOfThatHour() {
		clock.set(START);
		complete("a");
		clock.advance(Duration.ofHours(1));
		server.cli("ZADD", key(""), "0", "without-record");
		claim("t");
		assertThat(String.valueOf(server.cli("LINDEX", key(":hours"), "-1"))).matches("\\d+ 1 0 0 0 \\d+");
		assertThat(server.cli("HGET", key(":meta"), "buried")).hasToString("1");
	}

	@Test
	void whatIsNoTimeOfTheLastTendingStopsNoTending() {
		for (String note : List.of("nan", "inf", "-inf", "x", "99999999999999")) {
			store.schedule(this.queue, List.of(task(note)));
			server.cli("HSET", key(":meta"), "tended", note);
			ClaimRequest request = ClaimRequest.of("t", 1, Duration.ofSeconds(30));
			assertThat(store.claim(this.queue, request).notes().untended()).as(note).isTrue();
		}
	}

	@Test
	void linesOfOthersAreNoHours() {
		clock.set(START);
		complete("a");
		server.cli("RPUSH", key(":hours"), "", "x", "1 2 3 4 5", "1 2 3 4 5 6 7", "-1 0 0 0 0 0", "1e3 0 0 0 0 0",
				"9".repeat(10) + " 0 0 0 0 0", "490896 0 0 0 0 " + "9".repeat(19), "9".repeat(100_000));
		server.cli("HSET", key(":meta"), "late", "many", "retried", "9".repeat(100_000));
		clock.advance(Duration.ofHours(1));
		complete("b");
		assertThat(completed()).containsExactly(1L, 1L);
	}

	private void complete(String id) {
		store.schedule(this.queue, List.of(task(id)));
		claim("t");
		assertThat(store.settle(this.queue, List.of(Endings.complete(id, "t", false)))).containsExactly(true);
	}

	private List<Long> completed() {
		return QueueView.of(store).history(this.queue).hours().stream().map(Hour::completed).toList();
	}

	private void claim(String token) {
		claim(store, this.queue, token);
	}

	private static void claim(RedisTaskStore store, String queue, String token) {
		store.claim(queue, ClaimRequest.of(token, 1, Duration.ofSeconds(30)));
	}

	private String key(String suffix) {
		return PREFIX + "{" + this.queue + "}" + suffix;
	}

	/** Which commands a server is given, and how often. */
	private static Map<String, Long> commands(RedisServer server, Runnable step) {
		server.cli("CONFIG", "RESETSTAT");
		step.run();
		Map<String, Long> calls = new TreeMap<>();
		String.valueOf(server.cli("INFO", "commandstats"))
			.lines()
			.filter((line) -> line.startsWith("cmdstat_") && !line.startsWith("cmdstat_config"))
			.forEach((line) -> calls.put(line.substring(8, line.indexOf(':')),
					Long.valueOf(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1"))));
		return calls;
	}

}
