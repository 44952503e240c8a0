package io.github.delayqueue.benchmark;

import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payloads as JSON, the same way for every system that leaves that to its users.
 * Thread-safe.
 */
public final class Payloads {

	/** How many bytes a payload has as JSON. */
	public static final int BYTES = 128;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final ObjectWriter WRITER = MAPPER.writerFor(Payload.class);

	private static final ObjectReader READER = MAPPER.readerFor(Payload.class);

	private static final String NOTE = "x".repeat(BYTES);

	private Payloads() {
	}

	/**
	 * Make a payload.
	 * @param number of the task
	 * @param dueAtMillis when it is due, in milliseconds since the epoch
	 * @return the payload, {@value #BYTES} bytes as JSON
	 */
	public static Payload of(int number, long dueAtMillis) {
		String order = "order-" + number;
		int used = "{\"number\":,\"dueAt\":,\"order\":\"\",\"note\":\"\"}".length() + digits(number)
				+ digits(dueAtMillis) + order.length();
		return new Payload(number, dueAtMillis, order, NOTE.substring(0, BYTES - used));
	}

	public static byte[] toJson(Payload payload) {
		return WRITER.writeValueAsBytes(payload);
	}

	public static String toJsonText(Payload payload) {
		return WRITER.writeValueAsString(payload);
	}

	public static Payload fromJson(byte[] json) {
		return READER.readValue(json);
	}

	public static Payload fromJson(byte[] json, int offset, int length) {
		return READER.readValue(json, offset, length);
	}

	public static Payload fromJson(String json) {
		return READER.readValue(json);
	}

	private static int digits(long number) {
		return Long.toString(number).length();
	}

}
