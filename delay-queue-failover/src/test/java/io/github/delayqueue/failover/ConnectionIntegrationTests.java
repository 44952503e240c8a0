package io.github.delayqueue.failover;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.lettuce.core.resource.ClientResources;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.FaultProxy;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.wake.WakeChannel;

import static io.github.delayqueue.testsupport.Connections.configuration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The store's own connections: to the application's server, with time-outs of its own,
 * and back by themselves when the server is.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConnectionIntegrationTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);

	@ParameterizedTest
	@EnumSource
	void failsClearlyWhileTheServerIsAwayAndGoesOnByItself(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.builder().appendOnly(RedisServer.AppendOnly.ALWAYS).build().start()) {
			withStore(driver, configuration(server), (store) -> {
				AtomicInteger wakes = new AtomicInteger();
				store.subscribe("q", (in) -> wakes.incrementAndGet());
				store.schedule("q", List.of(task("before")));
				server.stop();
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> store.schedule("q", List.of(task("meanwhile"))))
					.withMessageContaining("schedule in queue 'q'")
					.satisfies((ex) -> assertThat(ex.getQueue()).isEqualTo("q"));
				server.start();
				await().ignoreExceptions().until(() -> QueueView.of(store).stats("q") != null);
				assertThat(store.find("q", "before")).isPresent();
				await().until(() -> {
					QueueControl.of(store).clear("q");
					store.schedule("q", List.of(task("wake")));
					return wakes.get() > 1;
				});
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void looksAgainWhereTheConnectionBreaksMeanwhile(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew(); FaultProxy proxy = FaultProxy.inFrontOf(server)) {
			RedisConnectionFactory connections = driver
				.connect(new RedisStandaloneConfiguration(proxy.host(), proxy.port()));
			try (RedisStores stores = stores(connections).commandTimeout(Duration.ofSeconds(10))) {
				RedisTaskStore store = stores.open();
				store.schedule("q", List.of(task("a")));
				proxy.cutBeforeReply(1);
				assertThat(store.find("q", "a")).isPresent();
				proxy.cutBeforeReply(1);
				assertThat(QueueView.of(store).stats("q").waiting()).isEqualTo(1);
				proxy.cutBeforeReply(1);
				QueueControl.of(store).announce("q");
				await().until(() -> proxy.cutReplies() == 3 && server.cli("SISMEMBER", "own:names", "q").equals(1L));
				proxy.cutBeforeReply(1);
				assertThat(QueueView.of(store).queues()).containsExactly("q");
				assertThat(proxy.cutReplies()).isEqualTo(4);
			}
		}
	}

	/** Names are for overviews: nobody who has tasks waits for the node that has them. */
	@ParameterizedTest
	@EnumSource
	void namesOfQueuesKeepNobodyWaiting(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				// once: what is announced again may be sent when the server is back
				QueueControl.of(store).announce("first");
				await().until(() -> server.cli("SISMEMBER", "own:names", "first").equals(1L));
				server.stop();
				QueueControl.of(store).announce("later");
				server.start();
				await().until(() -> {
					QueueControl.of(store).announce("now");
					return server.cli("SMISMEMBER", "own:names", "later", "now").equals(List.of(1L, 1L));
				});
				assertThat(QueueControl.of(store).forget("later")).isTrue();
				assertThat(QueueView.of(store).queues()).containsExactly("now");
			});
		}
	}

	/** One after the other, each would wait for all who came before. */
	@Test
	void callersShareTheAttemptToConnectToAServerThatIsSilent() throws Exception {
		int callers = 24;
		List<Socket> attempts = new CopyOnWriteArrayList<>();
		try (ServerSocket silent = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
			new Thread(() -> {
				while (!silent.isClosed()) {
					try {
						attempts.add(silent.accept());
					}
					catch (IOException ex) {
						// closed
					}
				}
			}).start();
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(
					silent.getInetAddress().getHostAddress(), silent.getLocalPort());
			try (RedisStores stores = stores(Driver.LETTUCE.connect(server))) {
				RedisTaskStore store = stores.open();
				List<CompletableFuture<?>> calls = IntStream.range(0, callers)
					.<CompletableFuture<?>>mapToObj(
							(i) -> call((i % 2 == 0) ? () -> store.schedule("q", List.of(task("a")))
									: () -> store.claim("q", ClaimRequest.of("token", 1, COMMAND_TIMEOUT))))
					.toList();
				calls.forEach((call) -> assertThatExceptionOfType(CompletionException.class).isThrownBy(call::join)
					.havingCause()
					.isInstanceOf(StoreUnavailableException.class)
					.withMessageContaining("Redis cannot be reached or is not ready"));
				assertThat(attempts).hasSizeBetween(1, callers / 2);
			}
		}
		finally {
			for (Socket attempt : attempts) {
				attempt.close();
			}
		}
	}

	private static CompletableFuture<?> call(Runnable call) {
		CompletableFuture<Void> result = new CompletableFuture<>();
		new Thread(() -> {
			try {
				call.run();
				result.complete(null);
			}
			catch (RuntimeException ex) {
				result.completeExceptionally(ex);
			}
		}).start();
		return result;
	}

	/** As after a fail-over: a replica answers, and calls under way get their answers. */
	@Test
	void connectionIsNotGivenUpBeforeTheAnswersOfAServerThatAnswers() throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			LettuceConnectionFactory factory = Connections.start(new LettuceConnectionFactory(configuration(server)));
			CountDownLatch recovered = new CountDownLatch(1);
			LettuceRecovery recovery = new LettuceRecovery(factory, Duration.ofSeconds(5), () -> {
			}, recovered::countDown);
			try (RedisConnection connection = factory.getConnection()) {
				// answered after three times as long as silent servers are given
				recovery.hold();
				try {
					recovery.suspect(false);
					assertThat(connection.execute("BLPOP", "none".getBytes(StandardCharsets.UTF_8),
							"0.6".getBytes(StandardCharsets.UTF_8)))
						.isNull();
				}
				finally {
					recovery.release();
				}
				assertThat(recovered.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
			finally {
				factory.destroy();
			}
		}
	}

	@Test
	void producersCannotUseUpTheConnectionsOfConsumers() throws Exception {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = stores(jedisWithOneConnection(server))) {
			RedisTaskStore store = stores.commandTimeout(Duration.ofMinutes(1)).open();
			store.schedule("q", List.of(task("a")));
			store.reschedule("q", "a", DueTime.in(Duration.ZERO));
			CompletableFuture<@Nullable Object> producer = CompletableFuture
				.supplyAsync(() -> blockingPop(store.scripts().connections().commands(), "30"));
			await().until(() -> String.valueOf(server.cli("INFO", "clients")).contains("blocked_clients:1"));
			assertThat(store.claim("q", ClaimRequest.of("t", 1, Duration.ofHours(1))).tasks()).hasSize(1);
			assertThat(store.settle("q", List.of(Endings.complete("a", "t", false)))).containsExactly(true);
			assertThat(producer).isNotDone();
			server.cli("RPUSH", "none", "x");
			assertThat(producer.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
		}
	}

	@Test
	void producerThatGetsNoConnectionIsToldThatNothingWasDone() throws Exception {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = stores(jedisWithOneConnection(server))) {
			// a quarter of it is for the connection: the answer is waited for much longer
			RedisTaskStore store = stores.commandTimeout(Duration.ofSeconds(16)).open();
			CompletableFuture<@Nullable Object> producer = CompletableFuture
				.supplyAsync(() -> blockingPop(store.scripts().connections().commands(), "0"));
			await().until(() -> String.valueOf(server.cli("INFO", "clients")).contains("blocked_clients:1"));
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> store.schedule("q", List.of(task("a"))))
				.withMessageContaining("nothing was done")
				.withMessageContaining("spring.data.redis.jedis.pool.max-active");
			server.cli("RPUSH", "none", "x");
			assertThat(producer.handle((popped, error) -> true).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
				.isTrue();
		}
	}

	@Test
	void waitingForAConnectionAndForAnAnswerTakeNoLongerThanTheCommandTimeout() {
		GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(3);
		pool.setBlockWhenExhausted(false);
		JedisConnectionFactory application = new JedisConnectionFactory(new RedisStandaloneConfiguration(),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
		JedisConnectionFactory derived = JedisConnections.derive(application, COMMAND_TIMEOUT, true);
		JedisClientConfiguration client = derived.getClientConfiguration();
		GenericObjectPoolConfig<?> own = client.getPoolConfig().orElseThrow();
		assertThat(own.getMaxTotal()).isEqualTo(3);
		assertThat(own.getBlockWhenExhausted()).isTrue();
		assertThat(own.getMaxWaitDuration()).isPositive();
		assertThat(own.getMaxWaitDuration().plus(client.getReadTimeout())).isEqualTo(COMMAND_TIMEOUT);
		assertThat(pool.getMaxWaitDuration()).as("of the application").isNegative();
	}

	private static RedisConnectionFactory jedisWithOneConnection(RedisServer server) {
		GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(1);
		return Connections.start(new JedisConnectionFactory(configuration(server),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build()));
	}

	private static @Nullable Object blockingPop(RedisTemplate<byte[], byte[]> template, String seconds) {
		return template.execute((RedisConnection connection) -> connection.execute("BLPOP",
				"none".getBytes(StandardCharsets.UTF_8), seconds.getBytes(StandardCharsets.UTF_8)));
	}

	/** In one, commands are queued, and replies come when it ends. */
	@Test
	void connectionOfAnUnknownKindIsNotTheOneThatIsBoundToATransaction() throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			LettuceConnectionFactory unknown = Connections.start(new LettuceConnectionFactory(configuration(server)) {
			});
			StringRedisTemplate application = new StringRedisTemplate(unknown);
			application.setEnableTransactionSupport(true);
			withStore(unknown, (store) -> {
				TransactionSynchronizationManager.initSynchronization();
				TransactionSynchronizationManager.setActualTransactionActive(true);
				try {
					application.opsForValue().set("key", "value");
					assertThat(TransactionSynchronizationManager.hasResource(unknown)).isTrue();
					assertThat(store.schedule("q", List.of(task("a")))).isNotNull();
					assertThat(QueueView.of(store).stats("q").waiting()).isEqualTo(1);
				}
				finally {
					TransactionSynchronizationUtils
						.triggerAfterCompletion(TransactionSynchronization.STATUS_ROLLED_BACK);
					TransactionSynchronizationManager.clear();
				}
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void claimThatAFrozenServerCarriesOutAfterItsCallerGaveUpTakesNothing(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			// a new connection gets no answer to its greeting, and sends no claim
			withStore((driver == Driver.JEDIS) ? jedisWithOneConnection(server) : driver.connect(server), (store) -> {
				assertThat(store.claim("q", ClaimRequest.of("t1", 1, Duration.ofHours(1))).tasks()).isEmpty();
				store.schedule("q", List.of(task("a")));
				store.reschedule("q", "a", DueTime.in(Duration.ZERO));
				long scriptsBefore = server.scriptCalls();
				server.pause();
				try {
					assertThatExceptionOfType(DelayQueueException.class)
						.isThrownBy(() -> store.claim("q", ClaimRequest.of("t2", 1, Duration.ofHours(1))));
				}
				finally {
					server.resume();
				}
				await().until(() -> server.scriptCalls() > scriptsBefore);
				assertThat(QueueView.of(store).stats("q").inFlight()).isZero();
				assertThat(store.claim("q", ClaimRequest.of("t3", 1, Duration.ofHours(1))).tasks()).singleElement()
					.satisfies((task) -> assertThat(task.leasesLost()).isZero());
			});
		}
	}

	/**
	 * What is scheduled before the subscription stands would be found by polling only.
	 */
	@ParameterizedTest
	@EnumSource
	void subscriptionWakesEachTimeItStandsThoughNobodySchedules(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew(); FaultProxy proxy = FaultProxy.inFrontOf(server)) {
			withStore(driver, new RedisStandaloneConfiguration(proxy.host(), proxy.port()), (store) -> {
				AtomicInteger first = new AtomicInteger();
				AtomicInteger second = new AtomicInteger();
				AtomicInteger other = new AtomicInteger();
				store.subscribe("q", (in) -> first.incrementAndGet());
				await("the first subscription").until(() -> first.get() > 0);
				store.subscribe("q", (in) -> second.incrementAndGet());
				await("another one to the same queue").until(() -> second.get() > 0);
				store.subscribe("other", (in) -> other.incrementAndGet());
				await("one to another queue").until(() -> other.get() > 0);
				List<AtomicInteger> all = List.of(first, second, other);
				List<Integer> before = all.stream().map(AtomicInteger::get).toList();
				proxy.cutAll();
				for (int i = 0; i < all.size(); i++) {
					int subscription = i;
					await("reconnection of " + i).until(() -> all.get(subscription).get() > before.get(subscription));
				}
			});
		}
	}

	/**
	 * Commands go elsewhere, as on a cluster: nothing but the subscription is silent.
	 */
	@ParameterizedTest
	@EnumSource
	@Heavy
	void noticesThatTheServerOfTheSubscriptionsIsSilent(Driver driver) {
		try (RedisServer server = RedisServer.startNew(); FaultProxy proxy = FaultProxy.inFrontOf(server)) {
			RedisConnections connections = DriverConnections
				.of(driver.connect(new RedisStandaloneConfiguration(proxy.host(), proxy.port())), COMMAND_TIMEOUT);
			WakeChannel channel = new WakeChannel(new RedisTaskStore(connections, "q:", null));
			AtomicInteger wakes = new AtomicInteger();
			channel.subscribe("q".getBytes(StandardCharsets.UTF_8), (in) -> wakes.incrementAndGet());
			await("the subscription").until(() -> wakes.get() > 0);
			proxy.silenceAll();
			int before = wakes.get();
			await("a wake message").until(() -> {
				server.cli("PUBLISH", "q", "0");
				return wakes.get() > before;
			});
			channel.close();
			connections.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	@Heavy
	void askingWhetherASubscriptionStandsWakesNobody(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				AtomicInteger wakes = new AtomicInteger();
				store.subscribe("q", (in) -> wakes.incrementAndGet());
				await("a beat that wakes nobody").until(() -> {
					int wakesBefore = wakes.get();
					long before = server.calls("subscribe");
					await().until(() -> server.calls("subscribe") >= before + 2);
					return wakesBefore > 0 && wakes.get() == wakesBefore;
				});
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void clientsOfNodesThatNobodyAsksAnyMoreAreClosed(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				OwnConnections connections = (OwnConnections) store.scripts().connections();
				UnsharedConnections gone = connections.unshared(new RedisNode("localhost", 1), System.nanoTime());
				UnsharedConnections later = connections.unshared(new RedisNode("localhost", 2), System.nanoTime());
				assertThat(connections.unshared(new RedisNode("localhost", 1), System.nanoTime())).isSameAs(gone);
				connections.unshared(new RedisNode("localhost", 3), System.nanoTime() + Duration.ofHours(1).toNanos());
				assertThat(connections.unshared(new RedisNode("localhost", 1), System.nanoTime())).isNotSameAs(gone);
				assertThat(connections.unshared(new RedisNode("localhost", 2), System.nanoTime())).isNotSameAs(later);
			});
		}
	}

	@Test
	void sharesTheClientResourcesOfTheApplicationAndLeavesThemAlone() throws Exception {
		ClientResources resources = ClientResources.create();
		try (RedisServer server = RedisServer.startNew()) {
			RedisStores stores = stores(Connections.start(new LettuceConnectionFactory(configuration(server),
					LettuceClientConfiguration.builder().clientResources(resources).build())));
			RedisTaskStore store = stores.connect();
			assertThat(store.schedule("q", List.of(task("a")))).containsExactly(ScheduleOutcome.CREATED);
			store.destroy();
			assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
			assertThat(new StringRedisTemplate(stores.connections()).hasKey("own:{q}")).isTrue();
			stores.close();
		}
		finally {
			resources.shutdown(0, 1, TimeUnit.SECONDS).get();
		}
	}

	@ParameterizedTest
	@EnumSource
	void connectionsOfEndedSubscriptionsDoNotMixTheirMessagesIntoReplies(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				for (int i = 0; i < 50; i++) {
					AtomicInteger wakes = new AtomicInteger();
					WakeSubscription subscription = store.subscribe("q", (in) -> wakes.incrementAndGet());
					await().pollDelay(Duration.ZERO).until(() -> {
						QueueControl.of(store).setPaused("q", false);
						store.schedule("q", List.of(task("a")));
						return wakes.get() > 0;
					});
					subscription.close();
					for (int j = 0; j < 20; j++) {
						QueueControl.of(store).setPaused("q", false);
						assertThat(QueueView.of(store).stats("q").waiting()).isEqualTo(1);
					}
				}
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void worksOnWhileTheApplicationEndsUntilItIsDestroyed(Driver driver) throws Exception {
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				store.stop();
				assertThat(store.isRunning()).isFalse();
				assertThat(store.schedule("q", List.of(task("a")))).containsExactly(ScheduleOutcome.CREATED);
				store.stop();
				store.start();
				assertThat(store.find("q", "a")).isPresent();
				store.destroy();
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> store.schedule("q", List.of(task("b"))))
					.withMessageContaining("has ended");
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void whoeverComesWhileItStartsAgainWaitsForConnections(Driver driver) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(8);
		try (RedisServer server = RedisServer.startNew()) {
			withStore(driver, configuration(server), (store) -> {
				for (int round = 0; round < 20; round++) {
					store.stop();
					CyclicBarrier together = new CyclicBarrier(8);
					List<Future<?>> calls = new ArrayList<>();
					for (int i = 0; i < 8; i++) {
						calls.add(callers.submit(() -> {
							together.await();
							return store.schedule("q", List.of(task("a")));
						}));
					}
					for (Future<?> call : calls) {
						call.get();
					}
				}
			});
		}
		finally {
			callers.shutdownNow();
		}
	}

	private interface Use {

		void with(RedisTaskStore store) throws Exception;

	}

	private static void withStore(Driver driver, RedisStandaloneConfiguration server, Use use) throws Exception {
		withStore(driver.connect(server), use);
	}

	private static void withStore(RedisConnectionFactory connections, Use use) throws Exception {
		try (RedisStores stores = stores(connections)) {
			use.with(stores.connect());
		}
	}

	private static RedisStores stores(RedisConnectionFactory connections) {
		return DriverStores.on(connections).keyPrefix("own:").commandTimeout(COMMAND_TIMEOUT);
	}

	private static NewTask task(String id) {
		return Tasks.task(id, Duration.ofHours(1));
	}

}
