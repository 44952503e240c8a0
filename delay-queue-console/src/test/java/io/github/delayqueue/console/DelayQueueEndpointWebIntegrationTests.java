package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.actuate.DelayQueueHealthIndicator;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.fixtures.StubContainers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.LocalHttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueEndpoint} and {@link DelayQueueHealthIndicator} as Spring
 * Boot serves them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "delay-queue.enabled=false", "management.endpoints.web.exposure.include=health,delayqueue",
				"management.endpoint.health.show-details=always", "management.health.defaults.enabled=false" })
class DelayQueueEndpointWebIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:01Z");

	private static final String QUEUE = """
			{"waiting":10,"due":2,"inFlight":1,"leasesLost":0,"retrying":1,"dead":0,"completed":0,"inDatabaseOnly":4,
			"oldestDueAge":"PT0.2S","nextDueAt":"2026-01-01T00:00:00Z","paused":false,
			"totals":{"scheduled":120,"completed":100,"retried":5,"deadLettered":1,"cancelled":2,"replaced":0,"cleared":0,
			"deleted":0,"redriven":0,"leasesLost":0,"stale":0},
			"partitions":1,
			"delays":[{"below":"PT1S","tasks":1},{"below":"PT1M","tasks":2},{"below":"PT5M","tasks":3},
			{"below":"PT10M","tasks":0},{"below":"PT1H","tasks":0},{"below":"PT24H","tasks":4},{"below":"PT168H","tasks":0},{"tasks":1}],
			"diedLastHour":3,"leasesLostFor":"PT2S","journal":true,"workers":8,"group":"WORKING","trouble":[],
			"listeners":[{"id":"timeouts","running":true,"concurrency":8,"active":1,
			"lastPollAt":"2026-01-01T00:00:00.500Z"}]}""";

	@Autowired
	private TaskStore store;

	private RestTestClient client;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.client = LocalHttp.client(port);
	}

	@Test
	void allQueuesAreShownAsTheDesignSays() {
		assertThat(get("/actuator/delayqueue")).hasStatus(200)
			.bodyText()
			.satisfies((body) -> assertThat(body.replaceFirst("\"asOf\":\"[^\"]+\"", "…"))
				.isEqualToIgnoringNewLines("{\"queues\":{\"order_timeout\":" + QUEUE
						+ "},\"sums\":{\"waiting\":10,\"due\":2,\"oldestDueAge\":\"PT0.2S\",\"dead\":0,\"diedLastHour\":3,\"completed\":100,"
						+ QUEUE.substring(QUEUE.indexOf("\"delays\""), QUEUE.indexOf(",\n\"diedLastHour\""))
						+ "},\"deaths\":{},…,\"order\":[\"order_timeout\"],"
						+ "\"groups\":{\"DANGER\":0,\"WARNING\":0,\"WORKING\":1,\"QUIET\":0},\"total\":1}"));
	}

	@Test
	void oneQueueIsShownAsInTheListOfAll() {
		assertThat(get("/actuator/delayqueue/order_timeout")).hasStatus(200)
			.bodyText()
			.isEqualToIgnoringNewLines(QUEUE);
	}

	@Test
	void historyShowsTheHoursThatAreAskedFor() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);
		given(QueueView.of(this.store).history("order_timeout")).willReturn(
				new History(List.of(new History.Hour(now.minus(Duration.ofHours(168)), 1, 0, 0, 0, Duration.ZERO),
						new History.Hour(now.minus(Duration.ofHours(2)), 7, 2, 1, 3, Duration.ofMillis(5)),
						new History.Hour(now, 0, 0, 0, 0, Duration.ZERO))));
		assertThat(get("/actuator/delayqueue/order_timeout/history")).hasStatus(200)
			.bodyText()
			.containsOnlyOnce("{\"from\":\"" + now.minus(Duration.ofHours(168)) + "\",\"usualDeaths\":0,\"hours\":[")
			.contains("\"completed\":1,");
		assertThat(get("/actuator/delayqueue/order_timeout/history?hours=2")).hasStatus(200)
			.bodyText()
			.isEqualTo("{\"from\":\"" + now.minus(Duration.ofHours(2)) + "\",\"usualDeaths\":0,\"hours\":["
					+ "{\"start\":\"" + now.minus(Duration.ofHours(2)) + "\",\"completed\":7,\"retried\":2,"
					+ "\"deadLettered\":1,\"late\":3,\"meanHandling\":\"PT0.0005S\"},{\"start\":\"" + now
					+ "\",\"completed\":0,\"retried\":0,\"deadLettered\":0,\"late\":0}]}");
		for (String hours : List.of("0", "169", "-1", "week", "")) {
			assertThat(get("/actuator/delayqueue/order_timeout/history?hours=" + hours)).hasStatus(400)
				.bodyText()
				.isEqualTo("{\"error\":\"The hours must be a number from 1 to 168\"}");
		}
		assertThat(get("/actuator/delayqueue/order_timeout/history?range=day")).hasStatus(400)
			.bodyText()
			.isEqualTo("{\"error\":\"'history' does not take 'range', but hours\"}");
		assertThat(get("/actuator/delayqueue/nothing/history")).hasStatus(404);
		given(QueueView.of(this.store).history("order_timeout")).willReturn(History.NONE);
	}

	@Test
	void healthShowsListeners() {
		assertThat(get("/actuator/health/delayQueue")).hasStatus(200).bodyText().isEqualToIgnoringNewLines("""
				{"details":{"listeners":{"timeouts":{"queue":"order_timeout","running":true,"paused":false,
				"stale":false,"lastPollAge":"PT0.5S"}}},"status":"UP"}""");
	}

	private RestTestClientResponse get(String path) {
		return RestTestClientResponse.from(this.client.get().uri(path).exchange());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private final TaskStore store = MockStores.create();

		private final DelayQueueOperations operations = mock();

		private final StubContainers containers = new StubContainers();

		@Autowired
		Application() {
			given(QueueView.of(this.store).queues()).willReturn(Set.of("order_timeout"));
			given(QueueView.of(this.store).history("order_timeout")).willReturn(History.NONE);
			given(QueueView.of(this.store).stats("order_timeout")).willReturn(new QueueStats(10, 2, 1, 0, 1, 0, 0, 4,
					Duration.ofMillis(200), Instant.parse("2026-01-01T00:00:00Z"), false,
					new QueueStats.Totals(120, 100, 5, 1, 2, 0, 0, 0, 0, 0, 0), 1,
					QueueStats.Delays.of(new long[] { 1, 2, 3, 0, 0, 4, 0, 1 }), 3, Duration.ofSeconds(2)));
			this.containers.set(StubContainers.running("timeouts", Instant.parse("2026-01-01T00:00:00.500Z")));
		}

		@Bean
		TaskStore store() {
			return this.store;
		}

		@Bean
		DelayQueueOperations operations() {
			return this.operations;
		}

		@Bean
		DelayQueueEndpoint delayQueueEndpoint() {
			return new DelayQueueEndpoint(new QueueManagement(this.store, registry(), this.operations,
					TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build())),
					new ManagementSettings(Access.READ_ONLY, Show.NEVER, Set.of(), "order_timeout"::equals),
					new ConsumersCache(this.store, System::nanoTime), TroubleRules.DEFAULTS));
		}

		@Bean
		SentArguments sentArguments() {
			return new SentArguments();
		}

		@Bean
		DelayQueueEndpointWebExtension delayQueueEndpointWebExtension(DelayQueueEndpoint endpoint) {
			return new DelayQueueEndpointWebExtension(endpoint);
		}

		@Bean
		DelayQueueHealthIndicator delayQueueHealthIndicator() {
			return new DelayQueueHealthIndicator(
					new DelayQueueHealth(this.store, registry(), new ConsumersCache(this.store, System::nanoTime),
							Clock.fixed(NOW, ZoneOffset.UTC), null, null, (figures) -> Map.of()));
		}

		private DelayQueueListenerContainerRegistry registry() {
			return this.containers.registry();
		}

	}

}
