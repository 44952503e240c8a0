package io.github.delayqueue.ecosystem.languages;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;

/**
 * Handles what programs in other languages schedule.
 */
@SpringBootApplication(proxyBeanMethods = false)
class LanguagesApplication {

	public static void main(String[] args) {
		SpringApplication.run(LanguagesApplication.class, args);
	}

	@Bean
	Listener listener() {
		return new Listener();
	}

	static class Listener {

		private final List<Order> handled = new CopyOnWriteArrayList<>();

		@DelayQueueListener(queue = "${languages.queue}")
		void handle(Order order) {
			this.handled.add(order);
		}

		List<Order> handled() {
			return this.handled;
		}

	}

	record Order(String number, int quantity, List<String> items, @Nullable String note) {

	}

}
