package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * An application instance as far as listeners go: a registry with all it needs.
 */
public final class ListenerFixture implements AutoCloseable {

	/** A poll interval for tests in which nothing is to be found by polling. */
	public static final Duration FOR_EVER = Duration.ofDays(10_000);

	private final TaskStore store;

	private final TaskCodec codec = new TaskCodec(JsonMapper.builder().build());

	private final DefaultListenerContainerRegistry registry;

	public ListenerFixture(TaskStore store, TaskEventListener... listeners) {
		this(store, defaults(), listeners);
	}

	public ListenerFixture(TaskStore store, QueueOptions settings, TaskEventListener... listeners) {
		this(store, settings, false, listeners);
	}

	public ListenerFixture(TaskStore store, QueueOptions settings, boolean virtualThreads,
			TaskEventListener... listeners) {
		this.store = store;
		this.registry = new DefaultListenerContainerRegistry(store, this.codec, new TaskEvents(List.of(listeners)),
				(queue) -> settings, virtualThreads);
		this.registry.start();
	}

	public static QueueOptions defaults() {
		return QueueOptions.DEFAULTS;
	}

	public static QueueOptions settings(Duration pollInterval, Retention retention, @Nullable Duration expiresAfter) {
		return QueueOptions.builder()
			.pollInterval(pollInterval)
			.completedRetention(retention.completed())
			.deadLetterRetention(retention.dead())
			.deadLetterMaxSize(retention.deadMaxSize())
			.expiresAfter(expiresAfter)
			.build()
			.withDefaults(QueueOptions.DEFAULTS);
	}

	public DefaultListenerContainerRegistry registry() {
		return this.registry;
	}

	/** Register a handler of strings under a generated id. */
	DelayQueueListenerContainer register(String queue, TaskHandler<String> handler, ListenerOptions options) {
		return this.registry.register(queue, String.class, handler, options);
	}

	/** Register a handler of deliveries of strings: asynchronous, batches. */
	DelayQueueListenerContainer register(String queue, ListenerOptions options, DeliveryHandler handler) {
		return this.registry.register(
				new DelayQueueListenerEndpoint(queue, queue, String.class, handler, options, "a handler of a test"));
	}

	/** Options of a listener that tries a task several times in quick succession. */
	static ListenerOptions.Builder attempts(int maxAttempts) {
		return ListenerOptions.builder().retry(fixedDelay(maxAttempts, Duration.ofMillis(10)));
	}

	static RetryOptions fixedDelay(int maxAttempts, Duration delay) {
		return new RetryOptions(maxAttempts, delay, 1.0, null, delay, 0.0, null);
	}

	TaskCodec codec() {
		return this.codec;
	}

	/** The last failure that is kept of a task. */
	TaskFailure failureOf(String queue, String taskId) {
		return this.store.find(queue, taskId).map(StoredTask::failure).map(this.codec::readFailure).orElseThrow();
	}

	public void schedule(String queue, String id, Object payload, Duration delay) {
		schedule(queue, id, payload, delay, TaskOptions.NONE);
	}

	public void schedule(String queue, String id, Object payload, Duration delay, TaskOptions options) {
		this.store.schedule(queue, List.of(task(queue, id, payload, DueTime.in(delay), options)));
	}

	public NewTask task(String queue, String id, Object payload, DueTime due, TaskOptions options) {
		byte[] envelope = this.codec.writeEnvelope(queue, id, new Payload(payload, null), Map.of(), options, 1_000_000);
		return new NewTask(id, envelope, due, TaskPriority.NORMAL, DuplicatePolicy.REPLACE);
	}

	@Override
	public void close() {
		this.registry.destroy();
	}

}
