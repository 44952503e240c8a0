package io.github.delayqueue.documents;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.convert.TaskCodec;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * JSON that the documents show is such, and what is said to be stored is read by those
 * who read it.
 */
class DocumentedJsonTests {

	private final JsonMapper json = JsonMapper.builder().build();

	private final TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(this.json));

	@Test
	void jsonIsWellFormed() {
		assertThat(blocks()).hasSizeGreaterThan(3)
			.allSatisfy((block) -> assertThat(this.json.readerFor(Object.class).readValues(block.text()).readAll())
				.as(block.toString())
				.isNotEmpty());
	}

	@Test
	void envelopesAreRead() {
		List<String> envelopes = lines("{\"v\":");
		assertThat(envelopes).hasSizeGreaterThanOrEqualTo(3);
		assertThat(envelopes.stream().map((envelope) -> this.codec.readEnvelope(bytes(envelope)).options()).toList())
			.anySatisfy((options) -> assertThat(options.maxAttempts()).isEqualTo(2))
			.anySatisfy((options) -> assertThat(options.recurrence()).asString().contains("Europe/Berlin"));
	}

	@Test
	void failuresAreRead() {
		List<String> failures = lines("{\"cause\":");
		assertThat(failures).isNotEmpty()
			.allSatisfy((failure) -> assertThat(new String(
					FailureJson.writeFailure(FailureJson.readFailure(bytes(failure)), null), StandardCharsets.UTF_8))
				.isEqualTo(failure)
				.contains("Connection refused"));
	}

	private static List<String> lines(String begin) {
		return blocks().stream()
			.flatMap((block) -> block.text().lines())
			.filter((line) -> line.startsWith(begin))
			.toList();
	}

	private static List<Document.Block> blocks() {
		return Document.all()
			.stream()
			.flatMap((document) -> document.blocks().stream())
			.filter((block) -> block.language().equals("json"))
			.toList();
	}

}
