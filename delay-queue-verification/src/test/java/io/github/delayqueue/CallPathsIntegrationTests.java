package io.github.delayqueue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.journal.AfterCommitTaskStore;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.FaultProxy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The classes that a call goes through, from the application to the script, and a due
 * task to its handler and back: not more of them than are worth it, and those that
 * {@code docs/internals/design.md} draws.
 */
class CallPathsIntegrationTests {

	private static final String PACKAGE = CallPathsIntegrationTests.class.getPackageName() + ".";

	private static final String JOURNALED = "journaled";

	private static final TaskCodec CODEC = Codecs.create();

	private static final Duration SOON = Duration.ofMinutes(5);

	private static RedisServer server;

	private static FaultProxy proxy;

	private static LettuceConnectionFactory connections;

	private static RedisStores stores;

	private static RedisTaskStore redis;

	@BeforeAll
	static void open() {
		server = RedisServer.startNew();
		proxy = FaultProxy.inFrontOf(server);
		connections = Connections.start(new LettuceConnectionFactory(proxy.host(), proxy.port()));
		stores = DriverStores.on((RedisConnectionFactory) connections).commandTimeout(Duration.ofMinutes(5));
		redis = stores.open();
	}

	@AfterAll
	static void close() {
		stores.close();
		Connections.close(connections);
		proxy.close();
		server.close();
	}

	@AfterEach
	void heal() {
		proxy.heal();
	}

	@Test
	void schedule() throws Exception {
		DelayQueueTemplate template = template(1);
		template.schedulePayload("q", "payload", SOON);
		assertShort(path(() -> template.schedulePayload("q", "payload", SOON)), 6);
	}

	@Test
	void cancelWithJournalAndPartitions() throws Exception {
		DelayQueueTemplate template = template(8);
		template.schedule(JOURNALED, "first", "payload", SOON);
		template.schedule(JOURNALED, "second", "payload", SOON);
		assertThat(template.cancel(JOURNALED, "first")).isTrue();
		assertShort(path(() -> template.cancel(JOURNALED, "second")), 9);
	}

	/** On a thread for claims, then one of a handler, then one for settlements. */
	@Test
	void dueTask() throws Exception {
		TaskStore store = store(1);
		// the first one also asks for the number of partitions
		store.claim("due", ClaimRequest.of("first", 1, Duration.ofMinutes(1)));
		template(1).schedulePayload("due", "payload", Duration.ZERO);
		DefaultListenerContainerRegistry registry = new DefaultListenerContainerRegistry(new ListenedStore(store),
				CODEC, TaskEvents.NONE, (queue) -> QueueOptions.DEFAULTS, ListenerFixture.threads(), List.of());
		CompletableFuture<StackTraceElement[]> handler = new CompletableFuture<>();
		CountDownLatch handled = new CountDownLatch(1);
		registry.register("due", String.class, (task, context) -> {
			handler.complete(Thread.currentThread().getStackTrace());
			handled.await();
			return TaskResult.done();
		}, ListenerOptions.defaults());
		try {
			proxy.delay(Duration.ofHours(1));
			new Thread(registry::start, "caller").start();
			List<String> claim = path(stackThrough("Claims"));
			proxy.heal();
			List<String> call = path(handler.get(1, TimeUnit.MINUTES));
			proxy.delay(Duration.ofHours(1));
			handled.countDown();
			List<String> settlement = path(stackThrough("SourceSettlements"));
			proxy.heal();
			assertShort(claim, 9);
			assertShort(call, 4);
			assertShort(settlement, 5);
		}
		finally {
			proxy.heal();
			handled.countDown();
			registry.destroy();
		}
	}

	/** That of the thread that waits for Redis, called by a class of listeners. */
	private static StackTraceElement[] stackThrough(String listenerClass) {
		String caller = DefaultListenerContainerRegistry.class.getPackageName() + "." + listenerClass;
		return awaitStack((thread) -> hasFrame(thread.getStackTrace(), caller)
				&& hasFrame(thread.getStackTrace(), ListenedStore.class.getName()));
	}

	/** Of a thread that waits for Redis: its state and its frames are of one moment. */
	private static StackTraceElement[] awaitStack(Predicate<ThreadInfo> thread) {
		return await()
			.until(() -> Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
				.filter(thread.and(CallPathsIntegrationTests::isWaitingForRedis))
				.findFirst()
				.orElse(null), Objects::nonNull)
			.getStackTrace();
	}

	private static boolean hasFrame(StackTraceElement[] frames, String className) {
		return Arrays.stream(frames).anyMatch((frame) -> frame.getClassName().equals(className));
	}

	private static boolean isWaitingForRedis(ThreadInfo thread) {
		return thread.getThreadState() == Thread.State.TIMED_WAITING && Arrays.stream(thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().startsWith(RedisTaskStore.class.getPackageName()));
	}

	/** As in an application that has all of the layers. */
	private static DelayQueueTemplate template(int partitions) {
		return new DelayQueueTemplate(store(partitions), CODEC, TaskEvents.NONE, (queue) -> QueueOptions.DEFAULTS);
	}

	private static TaskStore store(int partitions) {
		JdbcConnectionPool dataSource = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		new ResourceDatabasePopulator(new ClassPathResource("/io/github/delayqueue/journal/schema-h2.sql"))
			.execute(dataSource);
		Journal journal = Journal.builder(dataSource, new DataSourceTransactionManager(dataSource))
			.queues(JOURNALED::equals)
			.build();
		return new AfterCommitTaskStore(
				new JournaledTaskStore(new PartitionedTaskStore(redis, (queue) -> partitions), journal),
				(queue) -> !queue.equals(JOURNALED), TaskEvents.NONE);
	}

	/** The classes on the stack of whoever waits for Redis to answer, outermost first. */
	private static List<String> path(Runnable call) throws InterruptedException {
		proxy.delay(Duration.ofHours(1));
		Thread caller = new Thread(call, "caller");
		caller.start();
		StackTraceElement[] stack = awaitStack((thread) -> thread.getThreadId() == caller.getId());
		proxy.heal();
		caller.join();
		return path(stack);
	}

	private static List<String> path(StackTraceElement[] stack) {
		List<StackTraceElement> frames = Arrays.asList(stack);
		Collections.reverse(frames);
		return frames.stream()
			.map(StackTraceElement::getClassName)
			.filter((name) -> name.startsWith(PACKAGE))
			.map((name) -> name.replaceFirst("\\$.*", "").replaceFirst(".*\\.", ""))
			.filter((name) -> !name.equals(CallPathsIntegrationTests.class.getSimpleName()))
			.distinct()
			.toList();
	}

	private static void assertShort(List<String> path, int most) throws IOException {
		assertThat(path).hasSizeLessThanOrEqualTo(most);
		assertThat(Files.readAllLines(Path.of("..", "docs", "internals", "design.md")).stream().map(String::strip))
			.filteredOn((line) -> line.startsWith(path.get(0)))
			.contains(String.join(" → ", path));
	}

	/**
	 * Marks the calls of this test: other listeners of this JVM wait for Redis, too. It
	 * calls the store itself, as its superclass must not be added to what is counted.
	 */
	private static final class ListenedStore extends DelegatingTaskStore {

		private final TaskStore store;

		ListenedStore(TaskStore store) {
			super(store);
			this.store = store;
		}

		@Override
		public ClaimResult claim(String queue, ClaimRequest request) {
			return this.store.claim(queue, request);
		}

		@Override
		public List<Boolean> settle(String queue, List<Settlement> settlements) {
			return this.store.settle(queue, settlements);
		}

	}

}
