package io.github.delayqueue.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.autoconfigure.DelayQueueProperties.DeadLetter;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Queue;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Retry;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.QueueSettings;
import io.github.delayqueue.producer.ProducerSettings;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;
import io.github.delayqueue.store.Retention;

/**
 * From properties to settings: lays the properties of a queue over the general ones, and
 * those over the defaults. The only place that knows both.
 */
final class DelayQueuePropertiesMapper {

	private final DelayQueueProperties properties;

	private final Queue general;

	private DelayQueuePropertiesMapper(DelayQueueProperties properties) {
		this.properties = properties;
		this.general = general(properties);
	}

	/**
	 * Check and map properties.
	 * @param properties the properties
	 * @param virtualThreads whether handlers run on virtual threads
	 * @return the settings
	 * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
	 * naming the first property whose value is not possible
	 */
	static DelayQueueSettings map(DelayQueueProperties properties, boolean virtualThreads) {
		return new DelayQueuePropertiesMapper(properties).map(virtualThreads);
	}

	private DelayQueueSettings map(boolean virtualThreads) {
		PropertiesValidator.validate(this.properties, this.general);
		Map<String, DelayQueueSettings.Queue> queues = new LinkedHashMap<>();
		this.properties.queues().forEach((name, queue) -> queues.put(name, queue(queue)));
		return new DelayQueueSettings(this.properties.keyPrefix(), this.properties.commandTimeout(), virtualThreads,
				queue(this.general), queues);
	}

	private DelayQueueSettings.Queue queue(Queue queue) {
		Retention retention = retention(queue);
		FlowLimits limits = limits(queue);
		QueueSettings consumer = new QueueSettings(listener(queue), retention, queue.expiresAfter(),
				first(queue.pollInterval(), this.properties.pollInterval()),
				first(queue.claimLimit(), this.properties.claimLimit()), limits);
		DataSize maxPayloadSize = first(queue.producer().maxPayloadSize(), this.properties.producer().maxPayloadSize());
		return new DelayQueueSettings.Queue(consumer,
				new ProducerSettings(maxPayloadSize.toBytes(), retention, queue.expiresAfter(),
						first(queue.producer().minReplicas(), this.properties.producer().minReplicas()), limits,
						Objects.requireNonNull(maxExpiries(queue))),
				queue.partitions(), first(queue.journal(), this.properties.journal().enabled()),
				first(queue.producer().transaction(), this.properties.producer().transaction()));
	}

	private static FlowLimits limits(Queue queue) {
		String rate = queue.rateLimit();
		return new FlowLimits((rate != null) ? RateLimit.parse(rate) : null, queue.globalConcurrency());
	}

	private Retention retention(Queue queue) {
		DeadLetter deadLetter = this.properties.deadLetter();
		return new Retention(first(queue.completed().retention(), this.properties.completed().retention()),
				firstOrNull(queue.deadLetter().retention(), deadLetter.retention()),
				firstOrNull(queue.deadLetter().maxSize(), deadLetter.maxSize()));
	}

	private ListenerOptions listener(Queue queue) {
		Queue.Listener own = queue.listener();
		DelayQueueProperties.Listener others = this.properties.listener();
		return ListenerOptions.builder()
			.autoStartup(first(own.autoStartup(), others.autoStartup()))
			.concurrency(first(own.concurrency(), others.concurrency()))
			.ttr(first(own.ttr(), others.ttr()))
			.renew(first(own.renew(), others.renew()))
			.timeout(first(own.timeout(), others.timeout()))
			.shutdownTimeout(first(own.shutdownTimeout(), others.shutdownTimeout()))
			.batchSize(first(own.batchSize(), others.batchSize()))
			.maxExpiries(maxExpiries(queue))
			.retry(retry(queue))
			.build();
	}

	private @Nullable Integer maxExpiries(Queue queue) {
		Integer fallback = DelayQueueSettings.defaults().general().consumer().listener().maxExpiries();
		return firstOrNull(firstOrNull(queue.retry().maxExpiries(), this.properties.retry().maxExpiries()), fallback);
	}

	private RetryOptions retry(Queue queue) {
		return retry(queue.retry()).withDefaults(retry(this.properties.retry())).withDefaults(RetryOptions.DEFAULTS);
	}

	private static RetryOptions retry(Retry retry) {
		return new RetryOptions(retry.maxAttempts(), retry.delay(), retry.multiplier(), retry.increment(),
				retry.maxDelay(), retry.jitter(), retry.delays());
	}

	private static Queue general(DelayQueueProperties properties) {
		DelayQueueProperties.Listener listener = properties.listener();
		return new Queue(1, null, null, null, properties.journal().enabled(), properties.pollInterval(),
				properties.claimLimit(),
				new Queue.Listener(listener.autoStartup(), listener.concurrency(), listener.ttr(), listener.renew(),
						listener.timeout(), listener.shutdownTimeout(), listener.batchSize()),
				properties.retry(), properties.deadLetter(), new Queue.Completed(properties.completed().retention()),
				new Queue.Producer(properties.producer().maxPayloadSize(), properties.producer().minReplicas(),
						properties.producer().transaction()));
	}

	private static <T> T first(@Nullable T value, T other) {
		return (value != null) ? value : other;
	}

	private static <T> @Nullable T firstOrNull(@Nullable T value, @Nullable T other) {
		return (value != null) ? value : other;
	}

}
