package io.github.delayqueue.migration;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.store.PartitionStore;
import io.github.delayqueue.store.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestRedis;

/**
 * A delay queue of a test's own on a shared server, migrations to it, and a Redisson on
 * the same server.
 */
final class MigrationFixture {

	static final String QUEUE = "order_timeout";

	static final long MAX_PAYLOAD = 1000;

	static final Duration LEASE = Duration.ofSeconds(1);

	final String prefix;

	/** For sources: no other test has one of this name. */
	final String source = "orders-" + UUID.randomUUID();

	final RedisConnectionFactory connections;

	final StringRedisTemplate redis;

	final TaskStore store;

	final DelayQueueTemplate delayQueue;

	private final TaskCodec codec = new TaskCodec(JsonMapper.builder().build());

	private final Destination destination;

	MigrationSettings settings;

	private final Consumer<Config> redissonServer;

	private final RedisStores stores;

	private final List<AutoCloseable> open = new ArrayList<>();

	MigrationFixture() {
		this(TestRedis.host(), TestRedis.port());
	}

	MigrationFixture(String host, int port) {
		this(host, port, "migration:" + UUID.randomUUID() + ":");
	}

	MigrationFixture(String host, int port, String prefix) {
		this(connect(host, port), prefix, single(host, port));
	}

	/**
	 * Create a fixture.
	 * @param connections connections to a server
	 * @param prefix what the keys of the delay queue begin with
	 * @param redissonServer tells a Redisson of the same server
	 */
	MigrationFixture(RedisConnectionFactory connections, String prefix, Consumer<Config> redissonServer) {
		this(connections, prefix, redissonServer, (redis) -> new PartitionedTaskStore(redis, (queue) -> 1));
	}

	/**
	 * Create a fixture whose store has other layers.
	 * @param layers puts them upon the store in Redis
	 */
	MigrationFixture(Function<PartitionStore, TaskStore> layers) {
		this(connect(TestRedis.host(), TestRedis.port()), "migration:" + UUID.randomUUID() + ":",
				single(TestRedis.host(), TestRedis.port()), layers);
	}

	private MigrationFixture(RedisConnectionFactory connections, String prefix, Consumer<Config> redissonServer,
			Function<PartitionStore, TaskStore> layers) {
		this.prefix = prefix;
		this.redissonServer = redissonServer;
		this.stores = RedisStores.on(connections).keyPrefix(prefix);
		this.connections = connections;
		this.redis = new StringRedisTemplate(this.connections);
		this.store = layers.apply(this.stores.open());
		this.delayQueue = new DelayQueueTemplate(this.store, this.codec, TaskEvents.NONE,
				(queue) -> QueueOptions.builder().maxPayloadSize(DataSize.ofBytes(MAX_PAYLOAD)).build());
		this.destination = new Destination(this.delayQueue, this.codec, (queue) -> MAX_PAYLOAD);
		this.settings = new MigrationSettings(this.prefix, Duration.ofMillis(20), 100, false);
	}

	private static RedisConnectionFactory connect(String host, int port) {
		return Driver.LETTUCE.connect(new RedisStandaloneConfiguration(host, port));
	}

	static Consumer<Config> single(String host, int port) {
		return (config) -> config.useSingleServer()
			.setAddress("redis://" + host + ":" + port)
			.setConnectionPoolSize(8)
			.setConnectionMinimumIdleSize(2);
	}

	MigrationRunner runner(Migration... migrations) {
		return runner(this.destination, migrations);
	}

	/** A runner that tells after each step, as far as a queue notices it. */
	MigrationRunner runner(Consumer<MoveStep> after, Migration... migrations) {
		DelayQueueOperations told = (DelayQueueOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { DelayQueueOperations.class }, (proxy, method, arguments) -> {
					boolean schedules = method.getName().equals("scheduleAll");
					if (schedules) {
						after.accept(MoveStep.TAKEN);
					}
					Object answer = method.invoke(this.delayQueue, arguments);
					if (schedules) {
						after.accept(MoveStep.SCHEDULED);
					}
					return answer;
				});
		return runner(new Destination(told, this.codec, (queue) -> MAX_PAYLOAD), migrations);
	}

	private MigrationRunner runner(Destination destination, Migration... migrations) {
		MigrationRunner runner = new MigrationRunner(List.of(migrations), this.connections, destination, this.settings,
				LEASE);
		this.open.add(runner::stop);
		return runner;
	}

	/** Moves until the first time that a step is done, and does nothing more. */
	void runUntil(MoveStep step, Migration migration) {
		AtomicBoolean dead = new AtomicBoolean();
		MigrationSettings usual = this.settings;
		this.settings = new MigrationSettings(usual.keyPrefix(), Duration.ofHours(1), usual.batchSize(), false);
		MigrationRunner runner = runner((done) -> {
			if (done == step) {
				dead.set(true);
				throw new Death();
			}
		}, migration);
		this.settings = usual;
		long moved = runner.progress().get(0).moved();
		runner.start();
		// a round drops its records last
		Awaitility.await()
			.until(() -> (step == MoveStep.DROPPED) ? runner.progress().get(0).moved() > moved : dead.get());
		runner.stop();
	}

	/** Runs until nothing is left that can be moved. */
	MigrationProgress move(Migration migration) {
		MigrationRunner runner = runner(migration);
		runner.start();
		try {
			Awaitility.await(migration.toString()).until(() -> isDone(runner.progress().get(0)));
		}
		finally {
			runner.stop();
		}
		return runner.progress().get(0);
	}

	static boolean isDone(MigrationProgress progress) {
		return progress.left() + progress.moving() == progress.unreadable();
	}

	/** A Redisson that ends with the test. */
	RedissonClient redisson(Codec codec) {
		Config config = new Config();
		this.redissonServer.accept(config);
		config.setCodec(codec);
		RedissonClient redisson = Redisson.create(config);
		this.open.add(0, redisson::shutdown);
		return redisson;
	}

	<V> OldQueue<V> delayed(RedissonClient redisson, String name) {
		return new OldQueue<>(redisson, name);
	}

	List<TaskDetails> scheduled() {
		return this.delayQueue.list(QUEUE, TaskState.SCHEDULED, 0, 500);
	}

	/** Whether nothing waits and nothing is being handled. */
	boolean isIdle() {
		QueueStats stats = this.delayQueue.stats(QUEUE);
		return stats.scheduled() + stats.inFlight() == 0;
	}

	/** Handles what is due, in the order in which it is claimed. */
	List<String> handleDue() {
		List<String> handled = new ArrayList<>();
		List<ClaimedTask> claimed = this.delayQueue.poll(QUEUE, 500, Duration.ofMinutes(1));
		for (ClaimedTask task : claimed) {
			handled.add(task.payload(String.class));
			task.complete();
		}
		return handled;
	}

	/** Handles whatever becomes due, on a thread of its own, until the test ends. */
	Queue<String> handleAll() {
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		handleAll(handled);
		return handled;
	}

	void handleAll(Queue<String> handled) {
		repeat("handler", () -> {
			if (!handled.addAll(handleDue())) {
				LockSupport.parkNanos(5_000_000);
			}
		});
	}

	/** Does something again and again, on a thread of its own, until the test ends. */
	void repeat(String name, Action action) {
		Thread thread = new Thread(() -> {
			try {
				while (!Thread.currentThread().isInterrupted()) {
					action.run();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
		this.open.add(0, () -> {
			thread.interrupt();
			thread.join(Patience.LIMIT.toMillis());
		});
	}

	void close() throws Exception {
		for (AutoCloseable closeable : this.open) {
			closeable.close();
		}
		this.delayQueue.clear(QUEUE);
		this.stores.close();
	}

	private static final class Death extends Error {

		private static final long serialVersionUID = 1L;

	}

	/** What a thread repeats. */
	interface Action {

		void run() throws InterruptedException;

	}

}
