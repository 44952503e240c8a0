package io.github.delayqueue.observation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.observation.LinkingTracingObservationHandler.TraceParent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how {@link LinkingTracingObservationHandler} reads {@code traceparent}.
 */
class LinkingTracingObservationHandlerTests {

	private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

	private static final String SPAN_ID = "b7ad6b7169203331";

	@Test
	void sampledContextIsRead() {
		assertThat(TraceParent.parse("00-" + TRACE_ID + "-" + SPAN_ID + "-01"))
			.isEqualTo(new TraceParent(TRACE_ID, SPAN_ID, true));
	}

	@Test
	void contextThatIsNotSampledIsRead() {
		assertThat(TraceParent.parse("00-" + TRACE_ID + "-" + SPAN_ID + "-02"))
			.isEqualTo(new TraceParent(TRACE_ID, SPAN_ID, false));
	}

	@Test
	void laterVersionMayHaveMore() {
		assertThat(TraceParent.parse("01-" + TRACE_ID + "-" + SPAN_ID + "-01-more")).isNotNull();
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "b7ad6b7169203331", "ff-" + TRACE_ID + "-" + SPAN_ID + "-01",
			"00-00000000000000000000000000000000-" + SPAN_ID + "-01", "00-" + TRACE_ID + "-0000000000000000-01",
			"00-" + TRACE_ID + "-" + SPAN_ID + "-01\n", "00-" + TRACE_ID + "-" + SPAN_ID })
	void whatDoesNotFollowTheStandardIsNoContext(String value) {
		assertThat(TraceParent.parse(value)).isNull();
	}

}
