package io.github.delayqueue.wake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import io.github.delayqueue.failover.DriverConnections;

import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Channels that the Redis user may not subscribe to cost the others nothing.
 */
class ChannelRefusalIntegrationTests {

	private static final String PREFIX = "refused:";

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ChannelRights.class);

	@BeforeEach
	void listen() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.log);
	}

	@ParameterizedTest
	@EnumSource
	void isLeftOutWithOneWarningAndTriedBesideTheOthers(Driver driver) {
		try (RedisServer server = RedisServer.startNew()) {
			leavesOut(driver, List.of(server), Connections.configuration(server));
		}
	}

	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void isLeftOutInACluster(Driver driver) {
		ClusterServers cluster = ClusterServers.shared();
		leavesOut(driver, cluster.nodes(), Connections.configuration(cluster));
	}

	private <C extends RedisConfiguration & RedisConfiguration.WithAuthentication> void leavesOut(Driver driver,
			List<RedisServer> nodes, C configuration) {
		setUser(nodes, "resetchannels", "&" + PREFIX + "{*");
		try (RedisStores stores = DriverStores.on(driver.connect(DocumentedUser.as("limited", configuration)))
			.keyPrefix(PREFIX)) {
			RedisTaskStore store = stores.open();
			AtomicInteger entered = new AtomicInteger();
			store.requireRole(LeaseHolders.class).enter("a1", (in) -> entered.incrementAndGet());
			AtomicInteger wakes = new AtomicInteger();
			store.subscribe("q", (in) -> wakes.incrementAndGet());
			await().until(() -> wakes.get() > 0 && !this.log.list.isEmpty());
			int confirmed = wakes.get();
			store.schedule("q", List.of(Tasks.task("a", Duration.ofHours(1))));
			await().until(() -> wakes.get() > confirmed);
			AtomicInteger other = new AtomicInteger();
			store.subscribe("other", (in) -> other.incrementAndGet());
			await().until(() -> other.get() > 0);
			AtomicReference<List<String>> last = new AtomicReference<>();
			// longer than a subscription that failed is left alone
			await().during(Duration.ofSeconds(2)).until(() -> {
				List<String> subscribed = subscribed(nodes);
				return subscribed.equals(last.getAndSet(subscribed));
			});
			assertThat(last.get()).hasSize(1);
			assertThat(entered).hasValue(0);
			assertThat(this.log.list).singleElement()
				.satisfies((event) -> assertThat(event.getFormattedMessage())
					.startsWith("Redis refuses this instance 1 of its channels: " + PREFIX + "instances/a1 (NOPERM"));
			QueueControl.of(store).clear("q");
		}
		finally {
			nodes.forEach((node) -> node.cli("ACL", "DELUSER", "limited"));
		}
	}

	/** The connections of the user that have a subscription. */
	private static List<String> subscribed(List<RedisServer> nodes) {
		return nodes.stream()
			.flatMap((node) -> String.valueOf(node.cli("CLIENT", "LIST", "TYPE", "PUBSUB")).lines())
			.filter((line) -> line.contains("user=limited"))
			.map((line) -> line.split(" ")[0] + line.split(" ")[1])
			.toList();
	}

	@ParameterizedTest
	@EnumSource
	void isUsedOnceItIsAllowed(Driver driver) {
		try (RedisServer server = RedisServer.startNew()) {
			use(driver, server, (channel) -> {
				List<AtomicInteger> wakes = IntStream.range(0, 20).mapToObj((i) -> new AtomicInteger()).toList();
				setUser(List.of(server), "resetchannels", "&*1");
				IntStream.range(0, 20)
					.forEach((i) -> channel.subscribe(("channel-" + i).getBytes(StandardCharsets.UTF_8),
							(in) -> wakes.get(i).incrementAndGet()));
				await().until(() -> wakes.get(1).get() > 0 && wakes.get(11).get() > 0);
				setUser(List.of(server), "resetchannels", "&*1", "&*2");
				await().until(() -> wakes.get(2).get() > 0 && wakes.get(12).get() > 0);
				assertThat(wakes.get(3)).hasValue(0);
				// which ends connections that have any other
				setUser(List.of(server), "resetchannels", "&*2");
				int before = wakes.get(2).get();
				await().until(() -> wakes.get(2).get() > before);
				setUser(List.of(server), "allchannels");
				await().until(() -> wakes.stream().allMatch((each) -> each.get() > 0));
				await().until(() -> server.cli("PUBLISH", "channel-1", "1").equals(1L));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void noAnswerMakesItConnectWithoutEnd(Driver driver) {
		try (RedisServer server = RedisServer.startNew()) {
			use(driver, server, (channel) -> {
				AtomicInteger wakes = new AtomicInteger();
				for (String[] rules : List.of(new String[] { "-subscribe" }, new String[] { "off" },
						new String[] { "resetpass", ">other" })) {
					wakes.set(0);
					setUser(List.of(server), rules);
					server.cli("CLIENT", "KILL", "USER", "limited");
					WakeSubscription subscription = channel.subscribe("channel".getBytes(StandardCharsets.UTF_8),
							(in) -> wakes.incrementAndGet());
					await().until(() -> this.log.list.stream()
						.anyMatch((event) -> event.getFormattedMessage().contains("refuses")));
					this.log.list.clear();
					setUser(List.of(server));
					await().until(() -> wakes.get() > 0);
					subscription.close();
				}
			});
		}
	}

	private static void use(Driver driver, RedisServer server, Consumer<WakeChannel> use) {
		setUser(List.of(server));
		RedisConnectionFactory application = driver
			.connect(DocumentedUser.as("limited", Connections.configuration(server)));
		RedisConnections connections = DriverConnections.of(application, Duration.ofSeconds(2));
		WakeChannel channel = new WakeChannel(connections.subscriptions(), RETRY);
		try {
			use.accept(channel);
		}
		finally {
			channel.close();
			connections.close();
			Connections.close(application);
		}
	}

	private static void setUser(List<RedisServer> nodes, String... rules) {
		List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "limited", "reset", "on",
				">" + DocumentedUser.PASSWORD, "~*", "&*", "+@all"));
		command.addAll(List.of(rules));
		nodes.forEach((node) -> node.cli(command.toArray(String[]::new)));
	}

}
