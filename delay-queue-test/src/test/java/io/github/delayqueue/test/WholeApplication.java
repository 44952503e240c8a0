package io.github.delayqueue.test;

import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;

/**
 * An application with everything that the starter and a database bring along.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class WholeApplication {

	@Bean
	Orders orders() {
		return new Orders();
	}

	static class Orders {

		private final List<String> closed = new ArrayList<>();

		@DelayQueueListener(queue = "order_timeout", id = "orders")
		void close(String number) {
			this.closed.add(number);
		}

		List<String> closed() {
			return this.closed;
		}

	}

}
