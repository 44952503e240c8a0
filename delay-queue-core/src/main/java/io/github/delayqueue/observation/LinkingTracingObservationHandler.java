package io.github.delayqueue.observation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

import io.github.delayqueue.DelayedTask;

/**
 * Gives handlers a trace of their own, with a link to where each task comes from, where
 * the task was to wait for long or there are several. Has to come before the handler for
 * other receivers. Reads {@code traceparent}; where the context travels in another
 * format, there is no link. Public for applications that create it themselves.
 * Thread-safe.
 */
public class LinkingTracingObservationHandler
		extends PropagatingReceiverTracingObservationHandler<ProcessObservationContext> implements Ordered {

	/** As many as the OpenTelemetry SDK keeps by default. */
	static final int MAX_LINKS = 128;

	/** Create a handler that reads headers with the propagator. */
	public LinkingTracingObservationHandler(Tracer tracer, Propagator propagator) {
		super(tracer, propagator);
	}

	/** Create a handler with the tracer and the propagator of the application. */
	public LinkingTracingObservationHandler(BeanFactory beanFactory) {
		this(beanFactory.getBean(Tracer.class), beanFactory.getBean(Propagator.class));
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
		TraceParent parent = TraceParent.parse(task.headers().get(TraceParent.HEADER));
		if (parent != null) {
			TraceContext origin = getTracer().traceContextBuilder()
				.traceId(parent.traceId())
				.spanId(parent.spanId())
				.sampled(parent.sampled())
				.build();
			builder.addLink(new Link(origin));
		}
	}

	/**
	 * The header {@code traceparent} of W3C's Trace Context.
	 *
	 * @param traceId 32 hexadecimal digits
	 * @param spanId 16 hexadecimal digits
	 * @param sampled whether the trace is recorded
	 */
	record TraceParent(String traceId, String spanId, boolean sampled) {

		private static final String HEADER = "traceparent";

		/** Later versions may have more behind the flags. */
		private static final Pattern FORMAT = Pattern
			.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

		/**
		 * What a header says, {@code null} if it is missing or not as in the standard.
		 */
		static @Nullable TraceParent parse(@Nullable String value) {
			Matcher matcher = FORMAT.matcher((value != null) ? value : "");
			if (!matcher.matches()) {
				return null;
			}
			boolean sampled = (Integer.parseInt(matcher.group(3), 16) & 1) == 1;
			return new TraceParent(matcher.group(1), matcher.group(2), sampled);
		}

	}

}
