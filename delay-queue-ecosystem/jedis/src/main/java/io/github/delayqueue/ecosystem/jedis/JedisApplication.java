package io.github.delayqueue.ecosystem.jedis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.annotation.DelayQueueListener;

@SpringBootApplication(proxyBeanMethods = false)
class JedisApplication {

	public static void main(String[] args) {
		SpringApplication.run(JedisApplication.class, args);
	}

	@Bean
	Listener listener() {
		return new Listener();
	}

	static class Listener {

		private final List<String> handled = new CopyOnWriteArrayList<>();

		@DelayQueueListener(queue = "jedis")
		void handle(String text) {
			this.handled.add(text);
		}

		List<String> handled() {
			return this.handled;
		}

	}

}
