package io.github.delayqueue.convert;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON as maps, lists, texts, {@link Long}, {@link BigInteger}, {@link BigDecimal},
 * {@link Boolean} and {@code null}: for what is no payload, so that it does not matter by
 * which Jackson an application maps those. Public for those who keep such JSON.
 */
public final class PlainJson {

	private static final JsonFactory FACTORY = new JsonFactory();

	private PlainJson() {
	}

	/** Write a value, in UTF-8. Anything else is written as a text. */
	public static byte[] write(@Nullable Object value) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
			write(json, value);
		}
		return out.toByteArray();
	}

	private static void write(JsonGenerator json, @Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			json.writeStartObject();
			map.forEach((name, content) -> {
				json.writeName(String.valueOf(name));
				write(json, content);
			});
			json.writeEndObject();
		}
		else if (value instanceof List<?> list) {
			json.writeStartArray();
			list.forEach((element) -> write(json, element));
			json.writeEndArray();
		}
		else if (value instanceof BigDecimal || value instanceof BigInteger || value instanceof Long
				|| value instanceof Integer) {
			json.writeNumber(value.toString());
		}
		else if (value instanceof Boolean bool) {
			json.writeBoolean(bool);
		}
		else if (value != null) {
			json.writeString(value.toString());
		}
		else {
			json.writeNull();
		}
	}

	/**
	 * Read a value.
	 * @throws JacksonException if it is no JSON, or more than one value
	 */
	public static @Nullable Object read(byte[] bytes) {
		return read(FACTORY, JsonSlice.of(bytes));
	}

	/** Within the limits of a factory. */
	static @Nullable Object read(JsonFactory factory, JsonSlice slice) {
		try (JsonParser json = factory.createParser(ObjectReadContext.empty(), slice.bytes(), slice.offset(),
				slice.length())) {
			if (json.nextToken() == null) {
				throw new StreamReadException(json, "The value is empty, and no JSON");
			}
			Object value = read(json);
			if (json.nextToken() != null) {
				throw new StreamReadException(json, "The value is followed by something else");
			}
			return value;
		}
		catch (NumberFormatException ex) {
			// of an exponent that no BigDecimal can have
			throw new StreamReadException(null, "The value has a number that is too large", ex);
		}
	}

	private static @Nullable Object read(JsonParser json) {
		return switch (json.currentToken()) {
			case START_OBJECT -> {
				Map<String, @Nullable Object> map = new LinkedHashMap<>();
				for (String name = json.nextName(); name != null; name = json.nextName()) {
					json.nextToken();
					map.put(name, read(json));
				}
				yield map;
			}
			case START_ARRAY -> {
				List<@Nullable Object> list = new ArrayList<>();
				while (json.nextToken() != JsonToken.END_ARRAY) {
					list.add(read(json));
				}
				yield list;
			}
			case VALUE_NUMBER_INT -> (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER)
					? json.getBigIntegerValue() : (Object) json.getLongValue();
			case VALUE_NUMBER_FLOAT -> json.getDecimalValue();
			case VALUE_TRUE -> true;
			case VALUE_FALSE -> false;
			case VALUE_NULL -> null;
			default -> json.getString();
		};
	}

	/** The kind of an error, and where it is, without what is there. */
	static String describe(JacksonException error) {
		TokenStreamLocation location = error.getLocation();
		boolean known = location != null && location.getLineNr() > 0;
		return error.getClass().getSimpleName()
				+ (known ? " at line " + location.getLineNr() + ", column " + location.getColumnNr() : "");
	}

}
