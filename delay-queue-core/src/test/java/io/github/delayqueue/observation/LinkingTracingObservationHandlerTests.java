package io.github.delayqueue.observation;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskPriority;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for how {@link LinkingTracingObservationHandler} reads {@code traceparent}.
 */
class LinkingTracingObservationHandlerTests {

	private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

	private static final String SPAN_ID = "b7ad6b7169203331";

	private final TraceContext.Builder origin = mock(Answers.RETURNS_SELF);

	private final Span.Builder span = mock();

	@Test
	void sampledContextIsLinked() {
		handle("00-" + TRACE_ID + "-" + SPAN_ID + "-01");
		thenIsLinked(true);
	}

	@Test
	void contextThatIsNotSampledIsLinked() {
		handle("00-" + TRACE_ID + "-" + SPAN_ID + "-02");
		thenIsLinked(false);
	}

	@Test
	void laterVersionMayHaveMore() {
		handle("01-" + TRACE_ID + "-" + SPAN_ID + "-01-more");
		thenIsLinked(true);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "b7ad6b7169203331", "ff-" + TRACE_ID + "-" + SPAN_ID + "-01",
			"00-00000000000000000000000000000000-" + SPAN_ID + "-01", "00-" + TRACE_ID + "-0000000000000000-01",
			"00-" + TRACE_ID + "-" + SPAN_ID + "-01\n", "00-" + TRACE_ID + "-" + SPAN_ID })
	void whatDoesNotFollowTheStandardIsNoContext(@Nullable String value) {
		handle(value);
		then(this.span).should().setNoParent();
		then(this.span).should(never()).addLink(any());
	}

	private void thenIsLinked(boolean sampled) {
		then(this.origin).should().traceId(TRACE_ID);
		then(this.origin).should().spanId(SPAN_ID);
		then(this.origin).should().sampled(sampled);
		then(this.span).should().addLink(any(Link.class));
	}

	private void handle(@Nullable String traceparent) {
		Tracer tracer = mock();
		given(tracer.traceContextBuilder()).willReturn(this.origin);
		given(this.origin.build()).willReturn(TraceContext.NOOP);
		DelayedTask<String> task = new DelayedTask<>("a", "1", "payload",
				(traceparent != null) ? Map.of("traceparent", traceparent) : Map.of(), TaskPriority.NORMAL,
				Instant.EPOCH, 0, 0);
		new LinkingTracingObservationHandler(
				new StaticListableBeanFactory(Map.of("tracer", tracer, "propagator", mock(Propagator.class))))
			.customizeExtractedSpan(new ProcessObservationContext("a", List.of(task)), this.span);
	}

}
