package io.github.delayqueue.convert;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.fixtures.HostileData;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * {@link TaskCodec} with whatever bytes: it reads them, or says that it cannot by one of
 * its two exceptions, whose messages contain nothing of what was read. Repeat a run with
 * {@code -Dfuzz.seed=…}, lengthen it with {@code -Dfuzz.cases=…}.
 */
class TaskCodecFuzzTests {

	private static final List<Type> TYPES = List.of(Object.class, String.class, int.class, byte[].class, JsonNode.class,
			Order.class, Open.class, new ParameterizedTypeReference<Map<String, Order>>() {
			}.getType(), new ParameterizedTypeReference<List<Integer>>() {
			}.getType());

	private static final List<TaskCodec> CODECS = List.of(
			TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build())),
			TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder()
				.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
				.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
						DefaultTyping.NON_FINAL)
				.build())));

	@Test
	void readsOrRefusesWhateverItIsGivenAndQuotesNothingOfIt() {
		long seed = Long.getLong("fuzz.seed", TestEffort.seed(1));
		int cases = Integer.getInteger("fuzz.cases", TestEffort.pick(3000, 10_000));
		HostileData data = new HostileData(seed);
		int read = 0;
		for (int i = 0; i < cases; i++) {
			byte[] bytes = data.envelope();
			byte[] failure = data.failure();
			TaskCodec codec = data.any(CODECS);
			try {
				assertThat(FailureJson.readFailure(failure).at()).isNotNull();
				Envelope envelope = codec.readEnvelope(bytes);
				envelope.payloadJson();
				codec.readPayload("q", "a", envelope, data.any(TYPES));
				read++;
			}
			catch (UnreadableTaskException | UnsupportedEnvelopeException ex) {
				assertQuotesNothing(ex, seed, i);
			}
			catch (RuntimeException | Error ex) {
				fail("-Dfuzz.seed=" + seed + ", case " + i, ex);
			}
		}
		assertThat(read).as("cases that could be read, -Dfuzz.seed=%d", seed).isBetween(cases / 20, cases * 3 / 4);
	}

	private static void assertQuotesNothing(DelayQueueException ex, long seed, int number) {
		assertThat(ex).as("-Dfuzz.seed=%d, case %d", seed, number).hasNoCause();
		assertThat(ex.getMessage()).as("-Dfuzz.seed=%d, case %d", seed, number)
			.doesNotContain(HostileData.MARKER)
			.hasSizeLessThan(1500);
	}

	static class Open {

		@JsonAnySetter
		private final Map<String, Integer> more = new HashMap<>();

		public Map<String, Integer> getMore() {
			return this.more;
		}

	}

	record Order(String number, int items, Map<String, Object> more) {

	}

}
