package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer.AppendOnly;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Redis goes away under the load of one producer and one consumer, and comes back with
 * what it had.
 * <p>
 * {@code -Doutage.seconds=10} for another time than three seconds.
 */
@Execution(ExecutionMode.CONCURRENT)
class RedisOutageIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(RedisOutageIntegrationTests.class);

	private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 3));

	/** Longer than the outage: what was in handlers meanwhile keeps its lease. */
	private static final Duration LEASE_DURATION = OUTAGE.plusSeconds(30);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private static final String QUEUE = "orders";

	private final RedisServer server = RedisServer.builder().appendOnly(AppendOnly.ALWAYS).build().start();

	private final ClientResources clientResources = ClientResources.create();

	/** As Spring Boot makes it, but for a command time-out that nobody can wait for. */
	private final RedisStores stores = DriverStores
		.on(Connections.start(new LettuceConnectionFactory(Connections.configuration(this.server),
				LettuceClientConfiguration.builder()
					.clientResources(this.clientResources)
					.commandTimeout(Duration.ofMinutes(10))
					.build())))
		.commandTimeout(COMMAND_TIMEOUT);

	private final RecordingEvents events = new RecordingEvents();

	private final Set<String> accepted = ConcurrentHashMap.newKeySet();

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> handled = new ConcurrentHashMap<>();

	private final AtomicLong longestRefusal = new AtomicLong();

	private final AtomicBoolean producing = new AtomicBoolean(true);

	private final TaskStore store = this.stores.open();

	private ListenerFixture instance;

	private Thread producer;

	@BeforeEach
	void start() {
		this.instance = new ListenerFixture(this.store, this.events);
		this.instance.register(QUEUE, (task, context) -> {
			await().pollDelay(Duration.ofMillis(20)).until(() -> true);
			this.handled.merge(task.id(), 1, Integer::sum);
			return TaskResult.done();
		}, ListenerOptions.builder().leaseDuration(LEASE_DURATION).build());
		this.producer = new Thread(this::produce, "producer");
		this.producer.start();
	}

	@AfterEach
	void close() throws InterruptedException {
		this.producing.set(false);
		this.producer.join();
		this.instance.close();
		this.stores.close();
		this.clientResources.shutdown(0, 1, TimeUnit.SECONDS);
		this.server.close();
	}

	@Test
	void losesAndDoublesNothingWhenRedisIsStoppedAndStarted() throws InterruptedException {
		outage("stopped", RedisServer::stop, RedisServer::start);
	}

	@Test
	void losesAndDoublesNothingWhenRedisIsKilledAndStarted() throws InterruptedException {
		outage("killed", RedisServer::kill, RedisServer::start);
	}

	@Test
	void losesAndDoublesNothingWhenRedisStandsStillForAWhile() throws InterruptedException {
		outage("paused", RedisServer::pause, RedisServer::resume);
	}

	private void outage(String how, Consumer<RedisServer> begin, Consumer<RedisServer> end)
			throws InterruptedException {
		await().until(() -> this.handled.size() > 50);
		begin.accept(this.server);
		await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(10)).until(() -> true);
		await().until(() -> status().lastError() != null && !this.refused.isEmpty());
		int handledBefore = this.handled.size();
		end.accept(this.server);
		long backAt = System.nanoTime();
		await().until(() -> this.handled.size() > handledBefore);
		long again = (System.nanoTime() - backAt) / 1_000_000;
		await().until(() -> status().lastError() == null);
		int acceptedBefore = this.accepted.size();
		await().until(() -> this.accepted.size() > acceptedBefore + 50);
		this.producing.set(false);
		this.producer.join();
		await().atMost(LEASE_DURATION.plus(Patience.LIMIT))
			.until(() -> this.handled.keySet().containsAll(this.accepted));
		await().ignoreExceptionsInstanceOf(DelayQueueException.class)
			.until(() -> QueueView.of(this.store).stats(QUEUE),
					(stats) -> stats.inFlight() + stats.waiting() + stats.dead() == 0);
		logger.info("{} for {}: {} accepted, {} refused within at most {} ms, {} handled, again after {} ms", how,
				OUTAGE, this.accepted.size(), this.refused.size(), this.longestRefusal.get(), this.handled.size(),
				again);
		assertThat(this.handled.values()).containsOnly(1);
		// what was refused for want of an answer may have been stored
		assertThat(this.handled.keySet()).allMatch((id) -> this.accepted.contains(id) || this.refused.contains(id));
		assertThat(this.events.pollErrors()).isNotEmpty().hasOnlyElementsOfType(DelayQueueException.class);
	}

	private ContainerStatus status() {
		return this.instance.registry().get(QUEUE).status();
	}

	private void produce() {
		for (int i = 0; this.producing.get(); i++) {
			String id = "task-" + i;
			long before = System.nanoTime();
			try {
				this.instance.schedule(QUEUE, id, "payload", Duration.ofMillis(100));
				this.accepted.add(id);
			}
			catch (DelayQueueException ex) {
				this.refused.add(id);
				this.longestRefusal.accumulateAndGet((System.nanoTime() - before) / 1_000_000, Math::max);
			}
			await().pollDelay(Duration.ofMillis(5)).until(() -> true);
		}
	}

}
