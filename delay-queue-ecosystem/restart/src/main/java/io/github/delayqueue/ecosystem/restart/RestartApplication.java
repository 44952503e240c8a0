package io.github.delayqueue.ecosystem.restart;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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

		@DelayQueueListener(queue = "${restart.queue}")
		void handle(Integer number) throws InterruptedException {
			// long enough for a restart to come while some are in flight
			Thread.sleep(2);
			this.handled.add(number);
		}

		List<Integer> handled() {
			return this.handled;
		}

	}

}
