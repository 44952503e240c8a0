package io.github.delayqueue.convert;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.fixtures.Codecs;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link PlainEnvelope}.
 */
class PlainEnvelopeTests {

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"a\":1}", "{\"a\":{\"b\":[{},{\"c\":null}]}}", "{\"a\":\"}\"}", "{\"a\":\"{\"}",
			"{\"a\":\"\\\"}\"}", "{\"a\":\"\\\\\"}", "{\"\\\"}\":\"\\u007d 漢字\"}", "{ \"a\" : 1 }" })
	void findsThePayload(String payload) {
		String envelope = "{\"v\":1,\"p\":" + payload + "}";
		assertThat(payload(envelope)).isEqualTo(payload);
		assertThat(Codecs.create().readEnvelope(bytes(envelope)).payloadJson()).isEqualTo(payload);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"a\":{\"b\":[{},{\"c\":null}]}}", "{\"a\":\"}\"}" })
	void findsThePayloadBehindAGeneration(String payload) {
		String envelope = "{\"g\":\"0001795195739264\",\"v\":1,\"p\":" + payload + "}";
		assertThat(payload(envelope)).isEqualTo(payload);
		assertThat(Codecs.create().readEnvelope(bytes(envelope)).payloadJson()).isEqualTo(payload);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"g\":\"0001795195739264\"}", "{\"g\":\"0001795195739264\",\"v\":1}",
			"{\"g\":\"000179519573926\",\"v\":1,\"p\":{}}", "{\"g\":\"00001795195739264\",\"v\":1,\"p\":{}}",
			"{\"g\":\"000179519573926x\",\"v\":1,\"p\":{}}", "{\"g\":\"0001795195739264\" \"v\":1,\"p\":{}}",
			"{\"g\":\"0001795195739264,,\"v\":1,\"p\":{}}", "{\"g\":\"0001795195739264\",\"v\":2,\"p\":{}}",
			"[\"g\":\"0001795195739264\",\"v\":1,\"p\":{}}", "{\"g\":\"0001795195739264\",\"v\":1,\"p\":{}",
			"[\"v\":1,\"p\":{}}", "{\"g\":\"0001795195739264\",{\"v\":1,\"p\":{}}}" })
	void leavesAnyOtherFormWithAGenerationToTheParser(String envelope) {
		assertThat(payload(envelope)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"g\":\"0001795195739264\",\"v\":1,\"p\":[1],\"h\":{\"a\":\"b\"}}",
			"{\"v\":1,\"p\":[1],\"h\":{\"a\":\"b\"},\"g\":{\"x\":[]}}",
			"{\"g\":7,\"v\":1,\"p\":[1],\"h\":{\"a\":\"b\"}}" })
	void readerPassesOverTheGeneration(String envelope) {
		Envelope read = Codecs.create().readEnvelope(bytes(envelope));
		assertThat(read.payloadJson()).isEqualTo("[1]");
		assertThat(read.headers()).containsOnlyKeys("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"v\":1}", "{\"v\":2,\"p\":{}}", "{\"v\":1,\"p\":{},\"h\":{\"a\":\"b\"}}",
			"{\"v\":1,\"p\":{},\"o\":{}}", "{\"p\":{},\"v\":1}", "{\"v\":1,\"p\":1}", "{\"v\":1,\"p\":\"{}\"}",
			"{\"v\":1,\"p\":[{}]}", "{\"v\":1,\"p\":{}", "{\"v\":1,\"p\":{}}}", "{\"v\":1,\"p\":{\"a\":\"}}",
			"{\"v\":1,\"p\":{\"a\":\"\\\"}}", "{\"v\":1,\"p\":{}} ", "{\"v\":1,\"p\":{},\"p\":{}}",
			"{\"v\":1,\"p\":{\"a\":\"\\" })
	void leavesAnyOtherFormToTheParser(String envelope) {
		assertThat(payload(envelope)).isNull();
	}

	@Test
	void leavesItToTheReaderOfThePayloadWhetherItIsJson() {
		assertThat(payload("{\"v\":1,\"p\":{]}}")).isEqualTo("{]}");
	}

	private static String payload(String envelope) {
		JsonSlice slice = PlainEnvelope.payload(bytes(envelope));
		return (slice != null) ? new String(slice.bytes(), slice.offset(), slice.length(), StandardCharsets.UTF_8)
				: null;
	}

}
