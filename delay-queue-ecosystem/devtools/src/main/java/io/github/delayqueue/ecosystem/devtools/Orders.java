package io.github.delayqueue.ecosystem.devtools;

import java.time.Duration;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * Schedules a task for now and one for later whenever the application has started, and
 * prints by which generation of its classes they are handled.
 */
@Component
class Orders implements ApplicationRunner {

	private final DelayQueueOperations delayQueue;

	Orders(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	@Override
	public void run(ApplicationArguments arguments) {
		String generation = generation(getClass());
		this.delayQueue.schedulePayload("devtools", new Order("now", generation), Duration.ZERO);
		this.delayQueue.schedulePayload("devtools", new Order("later", generation), Duration.ofSeconds(4));
	}

	@DelayQueueListener(queue = "devtools")
	void close(Order order) {
		System.out.println("Handled: " + order.when() + " of " + order.generation() + " by " + generation(getClass())
				+ " as " + generation(order.getClass()) + "; left over: " + Leftovers.find());
	}

	private static String generation(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return loader.getClass().getSimpleName() + "@" + System.identityHashCode(loader);
	}

	record Order(String when, String generation) {

	}

}
