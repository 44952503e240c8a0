package io.github.delayqueue.jackson;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

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

	private boolean raw;

	PlainJsonGenerator(JsonGenerator json) {
		super(json, false);
	}

	/** Whether Jackson has written all of it. */
	boolean isPlain() {
		return !this.raw;
	}

	/**
	 * Whether a mapper writes plain JSON whatever it is given: it is tried, unless it
	 * escapes characters in a way of its own, any of which may be wrong.
	 */
	static boolean isWrittenBy(JsonMapper mapper) {
		if (mapper.tokenStreamFactory().getCharacterEscapes() != null) {
			return false;
		}
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = mapper.createGenerator((OutputStream) out)) {
			json.writeStartObject().writeName("a").writeStartArray();
			json.writeString("b").writeNumber(Double.NaN).writeNumber(Float.NEGATIVE_INFINITY).writeNull();
			json.writeEndArray().writeName("c").writeStartObject().writeEndObject().writeEndObject();
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
		return raw().writeRaw(text);
	}

	@Override
	public JsonGenerator writeRaw(String text, int offset, int length) {
		return raw().writeRaw(text, offset, length);
	}

	@Override
	public JsonGenerator writeRaw(SerializableString text) {
		return raw().writeRaw(text);
	}

	@Override
	public JsonGenerator writeRaw(char[] text, int offset, int length) {
		return raw().writeRaw(text, offset, length);
	}

	@Override
	public JsonGenerator writeRaw(char text) {
		return raw().writeRaw(text);
	}

	@Override
	public JsonGenerator writeRawValue(String text) {
		return raw().writeRawValue(text);
	}

	@Override
	public JsonGenerator writeRawValue(String text, int offset, int length) {
		return raw().writeRawValue(text, offset, length);
	}

	@Override
	public JsonGenerator writeRawValue(char[] text, int offset, int length) {
		return raw().writeRawValue(text, offset, length);
	}

	@Override
	public JsonGenerator writeRawUTF8String(byte[] text, int offset, int length) {
		return raw().writeRawUTF8String(text, offset, length);
	}

	@Override
	public JsonGenerator writeUTF8String(byte[] text, int offset, int length) {
		return raw().writeUTF8String(text, offset, length);
	}

	@Override
	public JsonGenerator writeNumber(String number) {
		return raw().writeNumber(number);
	}

	@Override
	public JsonGenerator writeNumber(char[] number, int offset, int length) {
		return raw().writeNumber(number, offset, length);
	}

}
