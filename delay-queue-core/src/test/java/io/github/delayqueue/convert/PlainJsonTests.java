package io.github.delayqueue.convert;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.TaskState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PlainJson}.
 */
class PlainJsonTests {

	private final JsonMapper jackson = JsonMapper.builder()
		.disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
		.changeDefaultPropertyInclusion((inclusion) -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
		.build();

	@Test
	void recordsAreWrittenAsByJackson() {
		Inner inner = new Inner(7L, null, Instant.parse("2026-01-01T00:00:00.120Z"), Duration.ofMillis(1500));
		Outer outer = new Outer("a \"text\" \u65e5\n", TaskState.IN_FLIGHT, true, 3, new BigDecimal("1.50"), inner,
				Arrays.asList(inner, null), Map.of(TaskState.DEAD, List.of(Duration.ZERO, 5L, Instant.EPOCH)));
		assertThat(PlainJson.write(outer)).asString().isEqualTo(this.jackson.writeValueAsString(outer));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "{}{}", "1e99999999999", "-", "{\"a\":1e99999999999}" })
	void whatIsNoJsonIsRefused(String json) {
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> PlainJson.read(json.getBytes()));
	}

	record Inner(@Nullable Long number, @Nullable String absent, Instant at, Duration took) {

	}

	private record Outer(String text, TaskState state, boolean flag, int count, BigDecimal exact, Inner inner,
			List<@Nullable Inner> inners, Map<TaskState, List<Object>> byState) {

	}

}
