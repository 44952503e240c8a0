package io.github.delayqueue.observation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

import io.github.delayqueue.DelayedTask;

/**
 * Gives handlers a trace of their own, with a link to where each task comes from. It does
 * so if the task was to wait for long, or there are several. Has to come before the
 * handler for other receivers. Reads {@code traceparent}; where the context travels in
 * another format, there is no link. Public for applications that create it themselves.
 * Thread-safe.
 */
public class LinkingTracingObservationHandler
		extends PropagatingReceiverTracingObservationHandler<ProcessObservationContext> implements Ordered {

	/** As many as the OpenTelemetry SDK keeps by default. */
	static final int MAX_LINKS = 128;

	/** W3C's Trace Context. Later versions may have more behind the flags. */
	private static final Pattern TRACEPARENT = Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})(?<traceId>[0-9a-f]{32})"
			+ "-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(-.*)?");

	/** Create a handler with the tracer and the propagator of the application. */
	public LinkingTracingObservationHandler(BeanFactory beanFactory) {
		super(beanFactory.getBean(Tracer.class), beanFactory.getBean(Propagator.class));
	}

	/** Before that of Spring Boot for other receivers, whose order is 1,000. */
	@Override
	public int getOrder() {
		return 0;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof ProcessObservationContext process && process.isLinked();
	}

	@Override
	public Span.Builder customizeExtractedSpan(ProcessObservationContext context, Span.Builder builder) {
		builder.setNoParent();
		context.getTasks().stream().limit(MAX_LINKS).forEach((task) -> link(task, builder));
		return builder;
	}

	private void link(DelayedTask<?> task, Span.Builder builder) {
		Matcher parent = TRACEPARENT.matcher(task.headers().getOrDefault("traceparent", ""));
		if (parent.matches()) {
			builder.addLink(new Link(getTracer().traceContextBuilder()
				.traceId(parent.group("traceId"))
				.spanId(parent.group("spanId"))
				.sampled((Integer.parseInt(parent.group("flags"), 16) & 1) == 1)
				.build()));
		}
	}

}
