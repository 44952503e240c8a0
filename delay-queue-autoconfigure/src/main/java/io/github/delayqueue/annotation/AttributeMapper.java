package io.github.delayqueue.annotation;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.retry.RetryOptions;

/**
 * From an annotation to options.
 *
 * @param method the annotated method
 * @param annotation one of its annotations
 * @param reader reads its attributes
 */
record AttributeMapper(ListenerMethod method, DelayQueueListener annotation, AttributeReader reader) {

	String queue() {
		String queue = this.reader.text("queue", this.annotation.queue());
		if (queue == null) {
			throw this.method.invalid("names no queue", "Name it in the attribute 'queue'.");
		}
		if (!Names.isQueue(queue)) {
			throw this.method.invalid("has queue = '" + queue + "', which is not allowed as a name",
					"Let the attribute 'queue' be 1 to 128 letters, digits, '_', '-', '.' and ':'; "
							+ "repeat the annotation for several queues.");
		}
		return queue;
	}

	@Nullable String id() {
		return this.reader.text("id", this.annotation.id());
	}

	@Nullable Integer batchSize() {
		return this.reader.positiveNumber("batchSize", this.annotation.batchSize());
	}

	ListenerOptions options(String id, @Nullable Integer batchSize) {
		return ListenerOptions.builder()
			.id(id)
			.concurrency(this.reader.positiveNumber("concurrency", this.annotation.concurrency()))
			.ttr(this.reader.positiveDuration("ttr", this.annotation.ttr()))
			.renew(this.reader.flag("renew", this.annotation.renew()))
			.timeout(this.reader.positiveDuration("timeout", this.annotation.timeout()))
			.batchSize(batchSize)
			.autoStartup(this.reader.flag("autoStartup", this.annotation.autoStartup()))
			.retry(retry())
			.noRetryFor(List.of(this.annotation.noRetryFor()))
			.build();
	}

	private RetryOptions retry() {
		return new RetryOptions(this.reader.positiveNumber("maxAttempts", this.annotation.maxAttempts()),
				this.reader.duration("retryDelay", this.annotation.retryDelay()),
				this.reader.factor("retryMultiplier", this.annotation.retryMultiplier()),
				this.reader.duration("retryIncrement", this.annotation.retryIncrement()),
				this.reader.duration("retryMaxDelay", this.annotation.retryMaxDelay()),
				this.reader.fraction("retryJitter", this.annotation.retryJitter()),
				this.reader.durations("retryDelays", this.annotation.retryDelays()));
	}

}
