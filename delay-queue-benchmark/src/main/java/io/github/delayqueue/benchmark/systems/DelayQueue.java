package io.github.delayqueue.benchmark.systems;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.autoconfigure.DelayQueueProperties;
import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * The delay queue itself as applications have it: auto-configured, with an annotated
 * listener, generated ids and the defaults of all properties. Properties of the system
 * that begin with {@code delay-queue.} or {@code spring.} apply, to try others.
 */
public class DelayQueue implements QueueSystem {

	/** The delay queue. */
	public static final SystemType TYPE = new SystemType("ours", "Delay Queue",
			"This project: leases, fencing tokens, attempts and counts, in batched scripts.",
			Set.of(Trait.SUBJECT, Trait.REDIS), DelayQueue::new);

	private final ConfigurableApplicationContext context;

	private final DelayQueueOperations operations;

	private final DelayQueueListenerContainer container;

	private final QueueHandler handler;

	private final Producer producer = new OperationsProducer();

	private DelayQueue(Servers servers) {
		this(DelayQueueApplication.class, servers, Map.of());
	}

	/**
	 * Start an application.
	 * @param application its class
	 * @param servers where Redis is
	 * @param properties what is not by default
	 */
	DelayQueue(Class<?> application, Servers servers, Map<String, Object> properties) {
		this.context = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(Map.of("spring.main.banner-mode", "off", "logging.level.root", "error",
					"spring.data.redis.host", servers.redisHost(), "spring.data.redis.port", servers.redisPort(),
					"spring.main.log-startup-info", "false"))
			.properties(properties)
			.run();
		this.operations = this.context.getBean(DelayQueueOperations.class);
		this.handler = this.context.getBean(QueueHandler.class);
		this.container = this.context.getBean(DelayQueueListenerContainerRegistry.class).get(QueueHandler.QUEUE);
	}

	final DelayQueueOperations operations() {
		return this.operations;
	}

	final <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	void schedule(BenchTask task) {
		this.operations.schedulePayload(QueueHandler.QUEUE, task.payload(), task.dueAt());
	}

	TaskRequest.Builder request(BenchTask task) {
		return TaskRequest.queue(QueueHandler.QUEUE).payload(task.payload()).dueAt(task.dueAt());
	}

	@Override
	public Map<String, String> settings() {
		DelayQueueProperties properties = this.context.getBean(DelayQueueProperties.class);
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("settings", "defaults");
		settings.put("concurrency", String.valueOf(properties.listener().concurrency()));
		settings.put("prefetch", String.valueOf(properties.listener().prefetch()));
		settings.put("poll-interval", properties.listener().pollInterval().toMillis() + " ms");
		settings.put("lease-duration", properties.listener().leaseDuration().toMillis() + " ms");
		System.getProperties()
			.stringPropertyNames()
			.stream()
			.filter((name) -> name.startsWith("delay-queue.") || name.startsWith("spring."))
			.sorted()
			.forEach((name) -> settings.put(name, System.getProperty(name)));
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		this.handler.sink(sink);
		this.container.start();
		return this.container::stop;
	}

	@Override
	public void reset() {
		this.context.getBean(RedisConnectionFactory.class).getConnection().serverCommands().flushAll();
	}

	@Override
	public long pending() {
		QueueStats stats = this.operations.stats(QueueHandler.QUEUE);
		return stats.waiting() + stats.inFlight();
	}

	@Override
	public void close() {
		this.context.close();
	}

	private final class OperationsProducer implements Producer {

		@Override
		public void schedule(BenchTask task) {
			DelayQueue.this.schedule(task);
		}

		@Override
		public void scheduleAll(List<BenchTask> tasks) {
			DelayQueue.this.operations.scheduleAll(tasks.stream().map((task) -> request(task).build()).toList());
		}

	}

}
