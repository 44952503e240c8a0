package io.github.delayqueue.convert;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

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
		.build();

	@Test
	void valuesAreWrittenAsByJackson() {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("text", "a \"text\" \u65e5\n");
		json.put("state", TaskState.IN_FLIGHT);
		json.put("flag", true);
		json.put("count", 3);
		json.put("exact", new BigDecimal("1.50"));
		json.put("absent", null);
		json.put("byState", Map.of(TaskState.DEAD,
				Arrays.asList(Duration.ofMillis(1500), 5L, null, Instant.parse("2026-01-01T00:00:00.120Z"))));
		assertThat(PlainJson.write(json)).asString().isEqualTo(this.jackson.writeValueAsString(json));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "{}{}", "1e99999999999", "-", "{\"a\":1e99999999999}" })
	void whatIsNoJsonIsRefused(String json) {
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> PlainJson.read(json.getBytes()));
	}

}
