package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.stream.IntStream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Notes whether anything is written as it is: Jackson does not look at raw values and at
 * numbers that are given as text. All else is plain JSON if the mapper writes plain JSON.
 */
final class PlainJsonGenerator extends JsonGeneratorDelegate {

	/** Each character that may have to be escaped, and one of each length in UTF-8. */
	private static final String TEXT = IntStream.concat(IntStream.range(0, 0xFF), IntStream.of(0x2028, 0x1F600))
		.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
		.toString();

	private boolean raw;

	PlainJsonGenerator(JsonGenerator json) {
		super(json, false);
	}

	/** Whether Jackson has written all of it. */
	boolean isPlain() {
		return !this.raw;
	}

	/** Whether a mapper can be told to write something else: it is tried. */
	static boolean isWrittenBy(JsonMapper mapper) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = mapper.createGenerator((OutputStream) out)) {
			json.writeStartObject().writeName(TEXT).writeStartArray();
			json.writeString(TEXT).writeNumber(Double.NaN).writeNumber(Float.NEGATIVE_INFINITY).writeNull();
			json.writeEndArray().writeName("b").writeStartObject().writeEndObject().writeEndObject();
		}
		try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), out.toByteArray())) {
			while (json.nextToken() != null) {
				json.finishToken();
			}
			return true;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private JsonGenerator raw() {
		this.raw = true;
		return this.delegate;
	}

	@Override
	public JsonGenerator writeRaw(String text) {
		raw().writeRaw(text);
		return this;
	}

	@Override
	public JsonGenerator writeRaw(String text, int offset, int length) {
		raw().writeRaw(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeRaw(SerializableString text) {
		raw().writeRaw(text);
		return this;
	}

	@Override
	public JsonGenerator writeRaw(char[] text, int offset, int length) {
		raw().writeRaw(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeRaw(char text) {
		raw().writeRaw(text);
		return this;
	}

	@Override
	public JsonGenerator writeRawValue(String text) {
		raw().writeRawValue(text);
		return this;
	}

	@Override
	public JsonGenerator writeRawValue(String text, int offset, int length) {
		raw().writeRawValue(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeRawValue(char[] text, int offset, int length) {
		raw().writeRawValue(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeRawUTF8String(byte[] text, int offset, int length) {
		raw().writeRawUTF8String(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeUTF8String(byte[] text, int offset, int length) {
		raw().writeUTF8String(text, offset, length);
		return this;
	}

	@Override
	public JsonGenerator writeNumber(String number) {
		raw().writeNumber(number);
		return this;
	}

	@Override
	public JsonGenerator writeNumber(char[] number, int offset, int length) {
		raw().writeNumber(number, offset, length);
		return this;
	}

}
