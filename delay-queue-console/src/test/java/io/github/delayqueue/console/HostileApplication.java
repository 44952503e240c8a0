package io.github.delayqueue.console;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;

/**
 * An application whose own JSON is as careless as can be, with a strict handler and one
 * that takes anything.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HostileApplication {

	static final String STRICT = "strict";

	static final String ANY = "any";

	@Bean
	JsonMapperBuilderCustomizer carelessJson() {
		return (builder) -> builder
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfSubType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
	}

	@Bean
	Handlers handlers() {
		return new Handlers();
	}

	record Order(@Size(max = 20) String number, int items) {

	}

	static class Handlers implements TaskEventListener {

		final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();

		final Queue<String> failures = new ConcurrentLinkedQueue<>();

		final Queue<String> waiting = new ConcurrentLinkedQueue<>();

		volatile CountDownLatch slow = new CountDownLatch(0);

		@DelayQueueListener(queue = STRICT)
		void strict(@Valid @Payload Order order, DelayedTask<Order> task, @Header Integer number) throws Exception {
			if ("slow".equals(order.number())) {
				this.waiting.add(task.id());
				this.slow.await(30, TimeUnit.SECONDS);
			}
			count(STRICT, task.id());
		}

		@DelayQueueListener(queue = ANY)
		void any(DelayedTask<Object> task) {
			count(ANY, task.id());
		}

		private void count(String queue, String id) {
			this.handled.computeIfAbsent(queue + "/" + id, (key) -> new AtomicInteger()).incrementAndGet();
		}

		int times(String queue, String id) {
			AtomicInteger times = this.handled.get(queue + "/" + id);
			return (times != null) ? times.get() : 0;
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took, TaskFailure failure) {
			if (failure != null) {
				this.failures.add(failure.toString());
			}
		}

		@Override
		public void onPollError(String queue, Throwable error) {
			this.failures.add(error.toString());
		}

	}

}
