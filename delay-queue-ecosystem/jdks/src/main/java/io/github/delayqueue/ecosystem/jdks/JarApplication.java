package io.github.delayqueue.ecosystem.jdks;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Schedules two tasks when it has started, and prints how they are handled.
 */
@SpringBootApplication(proxyBeanMethods = false)
class JarApplication {

	public static void main(String[] args) {
		SpringApplication.run(JarApplication.class, args);
	}

	@Bean
	ApplicationRunner scheduleTwoTasks(DelayQueueOperations delayQueue) {
		return (arguments) -> {
			delayQueue.schedulePayload("jdks", new Order("first", List.of("pen", "book")), Duration.ofMillis(100));
			delayQueue.schedulePayload("jdks", new Order("second", List.of()), Duration.ofMillis(200));
		};
	}

	@Bean
	Listener listener() {
		return new Listener();
	}

	static class Listener {

		@DelayQueueListener(queue = "jdks")
		void handle(Order order) {
			// Thread.toString() is all that Java 17 and Java 21 both have
			System.out.println(
					"Handled " + order + " on Java " + Runtime.version().feature() + " by " + Thread.currentThread());
		}

	}

	record Order(String number, List<String> items) {

	}

}
