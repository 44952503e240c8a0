package io.github.delayqueue.test;

import java.time.Duration;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.delayqueue.config.EnableDelayQueue;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotations that the kit goes together with.
 */
class AnnotationsTests {

	private static void assertThatItWorks(DelayQueueOperations delayQueue, DelayQueueTestClock clock,
			WholeApplication.Orders orders) {
		orders.closed().clear();
		delayQueue.schedulePayload("order_timeout", "order-1", Duration.ofMinutes(30));
		clock.advance(Duration.ofMinutes(30));
		assertThat(orders.closed()).containsExactly("order-1");
	}

	@Nested
	@DelayQueueTest(properties = "shop.name=corner")
	class AloneTests {

		@Autowired
		private Environment environment;

		@Test
		void takesTheWholeApplication(@Autowired DelayQueueOperations delayQueue, @Autowired DelayQueueTestClock clock,
				@Autowired WholeApplication.Orders orders) {
			assertThatItWorks(delayQueue, clock, orders);
			assertThat(this.environment.getProperty("shop.name")).isEqualTo("corner");
		}

	}

	@Nested
	@JsonTest
	@ContextConfiguration(classes = WholeApplication.class)
	@AutoConfigureDelayQueueTest
	class SliceTests {

		@Test
		void findsItsWayIntoTheSlice(@Autowired DelayQueueOperations delayQueue, @Autowired DelayQueueTestClock clock,
				@Autowired WholeApplication.Orders orders) {
			assertThatItWorks(delayQueue, clock, orders);
		}

	}

	@Nested
	@SpringJUnitConfig
	@AutoConfigureDelayQueueTest
	class WithoutBootTests {

		@Test
		void takesThePlaceOfWhatTheAnnotationDeclares(@Autowired DelayQueueOperations delayQueue,
				@Autowired DelayQueueTestClock clock, @Autowired WholeApplication.Orders orders) {
			assertThatItWorks(delayQueue, clock, orders);
		}

		@Configuration(proxyBeanMethods = false)
		@EnableDelayQueue
		@Import(WholeApplication.Orders.class)
		static class Application {

		}

	}

}
