package io.github.delayqueue.ecosystem.restart;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;

@SpringBootApplication(proxyBeanMethods = false)
class RestartApplication {

	public static void main(String[] args) {
		SpringApplication.run(RestartApplication.class, args);
	}

	@Bean
	Listener listener() {
		return new Listener();
	}

	static class Listener {

		private final List<Integer> handled = new CopyOnWriteArrayList<>();

		/**
		 * How many tasks are handled: others wait in their handlers until there are more.
		 */
		private final Semaphore permits = new Semaphore(0);

		@DelayQueueListener(queue = "${restart.queue}")
		void handle(Integer number) throws InterruptedException {
			this.permits.acquire();
			this.handled.add(number);
		}

		void permit(int tasks) {
			this.permits.release(tasks);
		}

		List<Integer> handled() {
			return this.handled;
		}

	}

}
