package io.github.delayqueue.benchmark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadsTests {

	private static final long DUE_AT = 1_795_275_000_123L;

	@ParameterizedTest
	@ValueSource(ints = { 0, 9, 10, 99_999, 9_999_999 })
	void hasThePromisedSizeWhateverItsNumber(int number) {
		assertThat(Payloads.toJson(Payloads.of(number, DUE_AT))).hasSize(Payloads.BYTES);
	}

	@Test
	void isReadAsItWasWritten() {
		Payload payload = Payloads.of(17, DUE_AT);
		assertThat(Payloads.fromJson(Payloads.toJson(payload))).isEqualTo(payload);
		assertThat(Payloads.fromJson(Payloads.toJsonText(payload))).isEqualTo(payload);
	}

}
