package io.github.delayqueue.checks;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is found when a listener is registered.
 */
class ListenerChecksTests {

	private static final String QUEUE = "orders";

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(new InMemoryTaskStore(Clock.systemUTC()),
			ListenerFixture.defaults(), ListenerFixture.threads(), List.of(new ListenerChecks()));

	private final DefaultListenerContainerRegistry registry = this.instance.registry();

	@Test
	void warnsOfAPayloadTypeThatCouldNeverBeRead() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(ListenerChecks.class);
		log.start();
		logger.addAppender(log);
		try {
			this.registry.register("commands", Runnable.class, (task, context) -> TaskResult.done(),
					ListenerOptions.defaults());
			this.instance.register(QUEUE, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.singleElement(InstanceOfAssertFactories.STRING)
			.startsWith("listener 'commands' registered in code cannot read any payload of queue 'commands' as "
					+ "java.lang.Runnable, and its tasks will die when they are due: Cannot construct instance of `java.lang.Runnable`");
	}

	static Stream<Arguments> disagreements() {
		return Stream.of(
				arguments(Integer.class, ListenerOptions.defaults(),
						"the payload type (java.lang.Integer and java.lang.String)"),
				arguments(String.class, ListenerOptions.builder().leaseDuration(Duration.ofSeconds(5)).build(),
						"lease duration (5s and 30s)"),
				arguments(String.class, ListenerFixture.attempts(2).build(), "retry"),
				arguments(String.class, ListenerOptions.builder().noRetryFor(List.of(IOException.class)).build(),
						"retry"),
				arguments(String.class, ListenerOptions.builder().maxLeaseLosses(2).build(), "max-lease-losses"));
	}

	@ParameterizedTest
	@MethodSource("disagreements")
	void refusesListenersOfOneQueueThatDisagree(Class<?> payloadType, ListenerOptions options, String on) {
		register("first", String.class, ListenerOptions.defaults());
		assertThatExceptionOfType(InvalidListenerException.class)
			.isThrownBy(() -> register("second", payloadType, options))
			.withMessageContaining("second() and first() listen to queue 'orders', so that either may get any of its "
					+ "tasks, but disagree on " + on)
			.satisfies((ex) -> assertThat(ex.getAction()).contains("queue of its own"));
		assertThat(this.registry.getContainers()).hasSize(1);
	}

	private void register(String id, Class<?> payloadType, ListenerOptions options) {
		this.registry.register(new DelayQueueListenerEndpoint(id, QUEUE, payloadType,
				(deliveries) -> CompletableFuture.completedFuture(List.of(TaskResult.done())), options, id + "()"));
	}

}
