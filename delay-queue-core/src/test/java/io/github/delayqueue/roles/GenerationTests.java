package io.github.delayqueue.roles;

import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Generation}.
 */
class GenerationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0',
			value = { "{\"v\":1,\"p\":{}} | {\"g\":\"0001795195739264\",\"v\":1,\"p\":{}}",
					"{\"g\":\"0000000000000001\",\"v\":1} | {\"g\":\"0001795195739264\",\"v\":1}",
					"{\"g\":\"0000000000000001\"} | {\"g\":\"0001795195739264\"}", "{} | {\"g\":\"0001795195739264\"}",
					"{ \t} | {\"g\":\"0001795195739264\" \t}", "{ \"v\":1} | {\"g\":\"0001795195739264\", \"v\":1}",
					"{\"g\":\"12\"} | {\"g\":\"0001795195739264\",\"g\":\"12\"}", "{ | {\"g\":\"0001795195739264\"," })
	void generationIsTheFirstFieldOfAMarkedEnvelope(String envelope, String marked) {
		byte[] before = bytes(envelope);
		assertThat(Generation.mark(before, 1_795_195_739_264L)).asString().isEqualTo(marked);
		assertThat(before).asString().isEqualTo(envelope);
		assertThat(Generation.of(bytes(marked))).isEqualTo(OptionalLong.of(1_795_195_739_264L));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "[]", "{\"g\":\"12\",\"v\":1}" })
	void whatHasNoGenerationIsUnmarkedAlready(String envelope) {
		byte[] bytes = bytes(envelope);
		assertThat(Generation.unmark(bytes)).isSameAs(bytes);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 1_795_195_739_264_123L, Generation.MAX })
	void everyGenerationIsReadAsItWasMarked(long generation) {
		byte[] marked = Generation.mark(bytes("{\"v\":1}"), generation);
		assertThat(Generation.of(marked)).hasValue(generation);
		assertThat(Generation.text(generation)).hasSize(16);
		assertThat(Generation.mark(Generation.mark(bytes("{\"v\":1}"), 7), generation)).isEqualTo(marked);
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MIN_VALUE, Generation.MAX + 1, Long.MAX_VALUE })
	void generationOutOfBoundsIsRefused(long generation) {
		assertThatIllegalArgumentException().isThrownBy(() -> Generation.text(generation));
		assertThatIllegalArgumentException().isThrownBy(() -> Generation.mark(bytes("{}"), generation))
			.withMessageContaining("Generation must be 0 to 9999999999999999");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[]", "\"g\"", " {}", "1" })
	void whatIsNoObjectHasNoPlaceForAGeneration(String envelope) {
		assertThat(Generation.isMarkable(bytes(envelope))).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> Generation.mark(bytes(envelope), 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "{}", "{\"v\":1,\"p\":\"0123456789012345\"}", "{\"g\":\"000000000000001\"}",
			"{\"g\":\"00000000000000001\"}", "{\"g\":\"000000000000000x\"}", "{\"g\":\"000000000000000/\"}",
			"{\"g\":\"000000000000000:\"}", "{\"g\":\"0000000000000001", "{\"g\":\"0000000000000001 ",
			"{\"h\":\"0000000000000001\"}", " {\"g\":\"0000000000000001\"}", "{\"v\":1,\"g\":\"0000000000000001\"}" })
	void envelopeOfAnotherFormHasNoGeneration(String envelope) {
		assertThat(Generation.of(bytes(envelope))).isEmpty();
		assertThat(Generation.isLower(bytes(envelope), OptionalLong.of(0))).isTrue();
		assertThat(Generation.isLower(bytes(envelope), OptionalLong.empty())).isFalse();
	}

	@Test
	void generationIsLowerThanHigherOnesOnly() {
		byte[] envelope = Generation.mark(bytes("{}"), 5);
		assertThat(Generation.isLower(envelope, OptionalLong.of(6))).isTrue();
		assertThat(Generation.isLower(envelope, OptionalLong.of(5))).isFalse();
		assertThat(Generation.isLower(envelope, OptionalLong.of(4))).isFalse();
		assertThat(Generation.isLower(envelope, OptionalLong.empty())).isFalse();
	}

	@Test
	void nextGenerationIsTheMicrosecondButHigherThanThePreviousOne() {
		Instant now = Instant.parse("2026-11-21T00:00:00.123456789Z");
		long micros = now.getEpochSecond() * 1_000_000 + 123_456;
		assertThat(Generation.next(-1, now)).isEqualTo(micros);
		assertThat(Generation.next(micros - 1, now)).isEqualTo(micros);
		assertThat(Generation.next(micros, now)).isEqualTo(micros + 1);
		assertThat(Generation.next(micros + 10, now)).isEqualTo(micros + 11);
		assertThat(Generation.above(-1, now)).isEqualTo(micros);
	}

	@Test
	void twoWhoGoByTheSameGenerationOfAClockThatWasAheadGetDifferentOnes() {
		Set<Long> generations = IntStream.range(0, 100)
			.mapToObj((i) -> Generation.above(1_795_195_739_264_123L, Instant.EPOCH))
			.collect(Collectors.toSet());
		assertThat(generations).hasSizeGreaterThan(50).allMatch((generation) -> generation > 1_795_195_739_264_123L);
	}

	@Test
	void conditionsAreWithinTheBounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> Generation.upTo(Generation.MAX + 1));
		assertThatIllegalArgumentException().isThrownBy(() -> Generation.exactly(1, -1));
	}

}
