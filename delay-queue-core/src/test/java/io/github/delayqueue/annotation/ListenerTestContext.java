package io.github.delayqueue.annotation;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.OptionTable;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * An application context with the post-processor and a registry that only records.
 */
final class ListenerTestContext implements AutoCloseable {

	/** An option that no class of the kernel knows, as a part declares it. */
	static final Option<Boolean> OF_A_PART = Option.flag("listener.interrupt-on-cancel", false);

	private final AnnotationConfigApplicationContext context;

	private ListenerTestContext(AnnotationConfigApplicationContext context) {
		this.context = context;
	}

	static ListenerTestContext of(Class<?>... components) {
		return of(Map.of(), (context) -> {
			if (components.length > 0) {
				context.register(components);
			}
		});
	}

	static ListenerTestContext of(Map<String, Object> properties, Class<?>... components) {
		return of(properties, (context) -> context.register(components));
	}

	static ListenerTestContext of(Map<String, Object> properties,
			Consumer<AnnotationConfigApplicationContext> customizer) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		context.registerBean(RecordingRegistry.class);
		context.registerBean(DelayQueueListenerAnnotationBeanPostProcessor.class,
				() -> new DelayQueueListenerAnnotationBeanPostProcessor(
						Stream.concat(OptionTable.all().stream(), Stream.of(OF_A_PART)).toList()));
		customizer.accept(context);
		try {
			context.refresh();
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
		return new ListenerTestContext(context);
	}

	/**
	 * Start a context that must not start.
	 * @param components its beans
	 * @return why it did not start
	 */
	static InvalidListenerException failureOf(Class<?>... components) {
		return catchThrowableOfType(InvalidListenerException.class, () -> of(components).close());
	}

	AnnotationConfigApplicationContext context() {
		return this.context;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	List<DelayQueueListenerEndpoint> endpoints() {
		return this.context.getBean(RecordingRegistry.class).endpoints();
	}

	DelayQueueListenerEndpoint endpoint() {
		List<DelayQueueListenerEndpoint> endpoints = endpoints();
		if (endpoints.size() != 1) {
			throw new AssertionError("Expected one endpoint: " + endpoints);
		}
		return endpoints.get(0);
	}

	DelayQueueListenerEndpoint endpoint(String queue) {
		return endpoints().stream()
			.filter((endpoint) -> endpoint.queue().equals(queue))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No endpoint for " + queue));
	}

	@Override
	public void close() {
		this.context.close();
	}

}
