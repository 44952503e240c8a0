package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.JournalRestoredEvent;
import io.github.delayqueue.event.TaskEventListener;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;

/**
 * An application whose queue has a journal, configured as users do, and what it has
 * handled. It can be closed and started again with other properties.
 */
final class JournaledApplication implements AutoCloseable {

	static final String QUEUE = "orders";

	private static final int BATCH = 500;

	private final Map<String, String> properties = new HashMap<>();

	final Handlers handlers = new Handlers();

	private @Nullable ConfigurableApplicationContext context;

	JournaledApplication(RedisServer redis, TemporaryDatabase database, Map<String, String> properties) {
		this.properties.putAll(Map.of("spring.data.redis.host", redis.host(), "spring.data.redis.port",
				String.valueOf(redis.port()), "spring.datasource.url", database.url(), "spring.datasource.username",
				database.username(), "delay-queue.journal.enabled", "true", "delay-queue.journal.initialize-schema",
				"always", "delay-queue.listener.lease-duration", "5s", "delay-queue.listener.concurrency", "16"));
		this.properties.putAll(properties);
		start();
	}

	private void start() {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(Map.<String, Object>copyOf(this.properties))
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("handlers", Handlers.class,
					() -> this.handlers))
			.run();
	}

	/** Close it, and start it with another property. */
	void restartWith(String property, String value) {
		close();
		this.properties.put(property, value);
		start();
	}

	private <T> T bean(Class<T> type) {
		if (this.context == null) {
			throw new IllegalStateException("The application is closed");
		}
		return this.context.getBean(type);
	}

	DelayQueueOperations operations() {
		return bean(DelayQueueOperations.class);
	}

	JdbcClient jdbc() {
		return bean(JdbcClient.class);
	}

	long rows() {
		return jdbc().sql("SELECT COUNT(*) FROM delay_queue_task").query(Long.class).single();
	}

	long dead() {
		return jdbc().sql("SELECT COUNT(*) FROM delay_queue_task WHERE dead_at IS NOT NULL").query(Long.class).single();
	}

	/**
	 * Schedule tasks that are due together.
	 * @param prefix of their ids, with a number behind it
	 * @param count how many
	 * @param due when they are due
	 * @return their ids
	 */
	List<String> schedule(String prefix, int count, Instant due) {
		List<String> ids = IntStream.range(0, count).mapToObj((i) -> prefix + i).toList();
		for (int i = 0; i < count; i += BATCH) {
			operations().scheduleAll(ids.subList(i, Math.min(count, i + BATCH))
				.stream()
				.map((id) -> TaskRequest.queue(QUEUE).id(id).payload(id).dueAt(due).build())
				.toList());
		}
		return ids;
	}

	@Override
	public void close() {
		if (this.context != null) {
			this.context.close();
			this.context = null;
		}
	}

	/** What was handled, in whatever context. */
	static final class Handlers implements TaskEventListener {

		/** When handlers began, by task. */
		final Map<String, List<Instant>> begun = new ConcurrentHashMap<>();

		/** How early the earliest was. */
		volatile Duration early = Duration.ZERO;

		/** Tasks whose end was confirmed. */
		final Set<String> finished = ConcurrentHashMap.newKeySet();

		final List<JournalRestoredEvent> restored = new CopyOnWriteArrayList<>();

		volatile Duration takes = Duration.ZERO;

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<String> task) throws InterruptedException {
			Instant now = Instant.now();
			if (now.isBefore(task.dueAt())) {
				this.early = Duration.between(now, task.dueAt());
			}
			this.begun.computeIfAbsent(task.id(), (id) -> new CopyOnWriteArrayList<>()).add(now);
			if (!this.takes.isZero()) {
				new CountDownLatch(1).await(this.takes.toMillis(), TimeUnit.MILLISECONDS);
			}
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			if (outcome == DeliveryOutcome.SUCCESS) {
				this.finished.add(taskId);
			}
		}

		@EventListener
		void restored(JournalRestoredEvent event) {
			this.restored.add(event);
		}

		int times(String id) {
			return this.begun.getOrDefault(id, List.of()).size();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			JdbcClientAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
			DelayQueueAutoConfiguration.class })
	static class Application {

	}

}
