package io.github.delayqueue.ecosystem.pooling;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;

@SpringBootApplication(proxyBeanMethods = false)
class PoolingApplication {

	public static void main(String[] args) {
		SpringApplication.run(PoolingApplication.class, args);
	}

	@Bean
	Listener listener() {
		return new Listener();
	}

	static class Listener {

		private final List<Integer> handled = new CopyOnWriteArrayList<>();

		@DelayQueueListener(queue = "pooling")
		void handle(Integer number) {
			this.handled.add(number);
		}

		List<Integer> handled() {
			return this.handled;
		}

	}

}
