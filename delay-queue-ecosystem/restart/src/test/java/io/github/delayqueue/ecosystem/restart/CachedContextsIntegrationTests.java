package io.github.delayqueue.ecosystem.restart;

import java.time.Duration;

import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;

import io.github.delayqueue.ecosystem.restart.RestartApplication.Listener;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Test classes with contexts of their own: the one that is not in use is paused by the
 * test framework, so that it does not take the tasks of another test.
 */
@Heavy
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class CachedContextsIntegrationTests {

	private static final String QUEUE = "cached";

	private static ConfigurableApplicationContext first;

	@Nested
	@Order(1)
	@SpringBootTest(classes = RestartApplication.class, properties = { "restart.queue=" + QUEUE, "context=first" })
	class First extends ConnectedTest {

		@Test
		void itsListenerHandlesTasks() {
			first = this.context;
			assertThatItsListenerHandles(1);
		}

	}

	@Nested
	@Order(2)
	@SpringBootTest(classes = RestartApplication.class, properties = { "restart.queue=" + QUEUE, "context=second" })
	class Second extends ConnectedTest {

		@Test
		void allTasksAreForItsListenerWhileTheFirstIsPaused() {
			assertThat(this.context).isNotSameAs(first);
			assertThat(first.getBean(DelayQueueListenerContainerRegistry.class).getContainers())
				.noneMatch((container) -> container.isRunning());
			for (int number = 10; number < 40; number++) {
				assertThatItsListenerHandles(number);
			}
		}

	}

	@Nested
	@Order(3)
	@SpringBootTest(classes = RestartApplication.class, properties = { "restart.queue=" + QUEUE, "context=first" })
	class FirstAgain extends ConnectedTest {

		@Test
		void itsListenerHandlesTasksAgain() {
			assertThat(this.context).isSameAs(first);
			assertThatItsListenerHandles(2);
			assertThat(this.context.getBean(Listener.class).handled()).containsExactly(1, 2);
		}

	}

	abstract static class ConnectedTest {

		@Autowired
		ConfigurableApplicationContext context;

		@DynamicPropertySource
		static void redis(DynamicPropertyRegistry properties) {
			properties.add("spring.data.redis.url", RedisServer.shared()::url);
		}

		void assertThatItsListenerHandles(int number) {
			this.context.getBean(Listener.class).permit(1);
			this.context.getBean(DelayQueueOperations.class).schedule(QUEUE, number, Duration.ZERO);
			await().untilAsserted(() -> assertThat(this.context.getBean(Listener.class).handled()).contains(number));
		}

	}

}
