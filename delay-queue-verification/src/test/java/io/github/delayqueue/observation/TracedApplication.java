package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.TestRedisConfiguration;

/**
 * An application with the OpenTelemetry SDK, which schedules when it is asked to by HTTP
 * and writes down in what trace its handlers run.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ TestRedisConfiguration.class, TracedApplication.Web.class, TracedApplication.Listeners.class })
class TracedApplication {

	static final String QUEUE = "traced";

	static final String FAILING = "traced-failing";

	static final String BATCH = "traced-batch";

	static final String NESTED = "traced-nested";

	static final String STAGE = "traced-stage";

	@Bean
	Spans spans() {
		return new Spans(InMemorySpanExporter.create());
	}

	@Bean
	SpanProcessor spanProcessor(Spans spans) {
		return SimpleSpanProcessor.create(spans.exporter());
	}

	@Bean
	Handled handled() {
		return new Handled(new LinkedBlockingQueue<>());
	}

	/**
	 * Has the spans that have ended. The exporter is no bean, or it would get them again
	 * some seconds later.
	 *
	 * @param exporter the exporter
	 */
	record Spans(InMemorySpanExporter exporter) {

	}

	/**
	 * What handlers have seen.
	 *
	 * @param calls the calls in their order
	 */
	record Handled(BlockingQueue<Call> calls) {

		void add(String name, Map<String, String> headers) {
			this.calls.add(new Call(name, MDC.get("traceId"), MDC.get("spanId"), MDC.get("tenant"), headers));
		}

	}

	/**
	 * A call of a handler.
	 */
	record Call(String name, @Nullable String traceId, @Nullable String spanId, @Nullable String tenant,
			Map<String, String> headers) {

	}

	@RestController
	static class Web {

		private final DelayQueueOperations delayQueue;

		Web(DelayQueueOperations delayQueue) {
			this.delayQueue = delayQueue;
		}

		@PostMapping("/schedule")
		String schedule(@RequestParam String queue, @RequestParam String id, @RequestParam long delayMillis) {
			return this.delayQueue.schedule(queue, id, id, Duration.ofMillis(delayMillis)).taskId();
		}

	}

	static class Listeners {

		private final Handled handled;

		private final DelayQueueOperations delayQueue;

		Listeners(Handled handled, DelayQueueOperations delayQueue) {
			this.handled = handled;
			this.delayQueue = delayQueue;
		}

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<String> task) {
			this.handled.add(task.id(), task.headers());
		}

		@DelayQueueListener(queue = FAILING, retryDelays = "10ms, 10ms")
		void fail(DelayedTask<String> task) {
			this.handled.add(task.id() + " " + task.attempt(), task.headers());
			if (task.attempt() < 3) {
				throw new IllegalStateException("attempt " + task.attempt());
			}
		}

		@DelayQueueListener(queue = BATCH, batchSize = "10", autoStartup = "false", id = BATCH)
		void handleBatch(List<DelayedTask<String>> tasks) {
			this.handled.add("batch of " + tasks.size(), Map.of());
		}

		@DelayQueueListener(queue = NESTED)
		void scheduleNext(String next) {
			this.handled.add(NESTED, Map.of());
			this.delayQueue.schedule(QUEUE, next, next, Duration.ZERO);
		}

		@DelayQueueListener(queue = STAGE)
		CompletableFuture<Void> handleInStages(DelayedTask<String> task) {
			this.handled.add(task.id(), task.headers());
			return CompletableFuture.runAsync(() -> this.handled.add(task.id() + " later", Map.of()));
		}

	}

}
