package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.TaskStore;

/**
 * An application instance as far as listeners go: a registry with all it needs.
 */
public final class ListenerFixture implements AutoCloseable {

	public static final ListenerOptions LISTENER_DEFAULTS = ListenerOptions.builder()
		.concurrency(8)
		.ttr(Duration.ofSeconds(30))
		.renew(true)
		.timeout(Duration.ofHours(1))
		.shutdownTimeout(Duration.ofSeconds(25))
		.batchSize(1)
		.autoStartup(true)
		.maxExpiries(5)
		.retry(RetryOptions.DEFAULTS)
		.build();

	private final TaskStore store;

	private final TaskCodec codec = new TaskCodec(JsonMapper.builder().build());

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private final DefaultListenerContainerRegistry registry;

	public ListenerFixture(TaskStore store, TaskEventListener... listeners) {
		this(store, defaults(), listeners);
	}

	public ListenerFixture(TaskStore store, QueueSettings settings, TaskEventListener... listeners) {
		this(store, settings, false, listeners);
	}

	public ListenerFixture(TaskStore store, QueueSettings settings, boolean virtualThreads,
			TaskEventListener... listeners) {
		this.store = store;
		this.scheduler.setPoolSize(2);
		this.scheduler.setRemoveOnCancelPolicy(true);
		this.scheduler.setAcceptTasksAfterContextClose(true);
		this.scheduler.setThreadNamePrefix("delay-queue-");
		this.scheduler.afterPropertiesSet();
		this.registry = new DefaultListenerContainerRegistry(store, this.codec, new TaskEvents(List.of(listeners)),
				(queue) -> settings, this.scheduler, virtualThreads);
		this.registry.start();
	}

	public static QueueSettings defaults() {
		return settings(Duration.ofSeconds(1), Retention.NONE, null);
	}

	public static QueueSettings settings(Duration pollInterval, Retention retention, @Nullable Duration expiresAfter) {
		return new QueueSettings(LISTENER_DEFAULTS, retention, expiresAfter, pollInterval, 100);
	}

	public DefaultListenerContainerRegistry registry() {
		return this.registry;
	}

	public void schedule(String queue, String id, Object payload, Duration delay) {
		schedule(queue, id, payload, delay, TaskOptions.NONE);
	}

	public void schedule(String queue, String id, Object payload, Duration delay, TaskOptions options) {
		this.store.schedule(queue, List.of(task(queue, id, payload, DueTime.in(delay), options)));
	}

	public NewTask task(String queue, String id, Object payload, DueTime due, TaskOptions options) {
		byte[] envelope = this.codec.writeEnvelope(queue, id, true, payload, Map.of(), options, 1_000_000);
		return new NewTask(id, envelope, due, TaskPriority.NORMAL, DuplicatePolicy.REPLACE);
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.scheduler.destroy();
	}

}
