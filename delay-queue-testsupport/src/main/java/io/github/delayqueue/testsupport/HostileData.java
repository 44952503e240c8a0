package io.github.delayqueue.testsupport;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What somebody who can write to Redis may put there, at random but repeatable: each
 * piece is made from a piece that is right, by leaving out, cutting, exchanging or
 * spoiling some of it.
 */
public final class HostileData {

	/** Stands in every envelope, and must be seen nowhere but there. */
	public static final String MARKER = "S3CRET";

	private static final List<String> VALUES = List.of("null", "true", "0", "-1", "1e1000000000", "-1e-1000000000",
			"99999999999999999999", "9".repeat(2000), "0." + "1".repeat(2000), "NaN", "Infinity", "\"\"",
			"\"" + MARKER + "\"", "\"" + MARKER.repeat(100) + "\"", "\"\\u0000\\ud800\"", "{}", "[]",
			"[\"java.util.concurrent.ConcurrentHashMap\",{\"a\":\"" + MARKER + "\"}]",
			"[\"io.github.delayqueue.autoconfigure.Instantiated\",{}]",
			"{\"@class\":\"io.github.delayqueue.autoconfigure.Instantiated\",\"name\":\"" + MARKER + "\"}",
			"{\"@type\":\"io.github.delayqueue.autoconfigure.Instantiated\",\"" + MARKER + "\":1}",
			"{\"@class\":\"javax.script.ScriptEngineManager\"}",
			"[[\"javax.naming.InitialContext\",[\"" + MARKER + "\"]]]", "[".repeat(600),
			"{\"" + MARKER + "\":{\"" + MARKER + "\":[]}}", "/*" + MARKER + "*/1", "'" + MARKER + "'", MARKER);

	private static final List<String> OPTIONS = List.of("ttr", "maxAttempts", "retryDelays", "expiresAfter", "unknown");

	private static final List<String> OPTION_VALUES = List.of("0", "1", "-1", "5", "2147483647", "2147483648",
			"9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.5", "1e3", "[]", "[0]", "[-1]",
			"[9223372036854775807]", "[0,0,9223372036854775808]", "[null]", "[[0]]", "[\"" + MARKER + "\"]", "{}",
			"null", "\"" + MARKER + "\"", "[" + "0,".repeat(5000) + "0]");

	private static final List<String> COUNTS = List.of("0", "1", "4", "-1", "", "x", "2147483647", "2147483648",
			"99999999999999999999", "9".repeat(400), "1.5", "1e9", " 1", "0x10");

	private static final List<String> SCORES = List.of("-inf", "0", "1", "-1", "1.5", "-1e300", "1000.25",
			"1700000000000.5", "-0", "1e-300");

	private static final List<String> FUTURE_SCORES = List.of("+inf", "1e300", "9e15", "1e18", "253402300800000");

	private static final String GOOD = "{\"number\":\"" + MARKER + "\",\"items\":1}";

	private final Random random;

	public HostileData(long seed) {
		this.random = new Random(seed);
	}

	public int below(int bound) {
		return this.random.nextInt(bound);
	}

	public <T> T any(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

	private String value() {
		return switch (below(200)) {
			case 0 -> "[".repeat(100_000) + "]".repeat(100_000);
			case 1 -> "{\"a\":".repeat(2000) + "1" + "}".repeat(2000);
			default -> any(VALUES);
		};
	}

	/**
	 * An envelope, more often wrong than right, with the marker in most of it.
	 * @return its bytes
	 */
	public byte[] envelope() {
		byte[] bytes = text().getBytes(StandardCharsets.UTF_8);
		return switch (below(8)) {
			case 0 -> Arrays.copyOf(bytes, below(bytes.length + 1));
			case 1 -> spoil(bytes, 1 + below(4));
			case 2 -> (below(4) == 0) ? text().getBytes(StandardCharsets.UTF_16) : spoil(bytes, 1);
			case 3 -> (below(8) == 0) ? noise(below(200)) : bytes;
			default -> bytes;
		};
	}

	private String text() {
		if (below(3) == 0) {
			return "{\"v\":1,\"p\":" + any(List.of(GOOD, GOOD, value(), order())) + ",\"h\":{\"number\":\"1\"}}";
		}
		StringBuilder text = new StringBuilder("{");
		for (int part = 1 + below(6); part > 0; part--) {
			text.append(part()).append(',');
		}
		if (below(6) > 0) {
			text.append("\"v\":1,");
		}
		text.setCharAt(text.length() - 1, '}');
		return text.toString();
	}

	private String part() {
		return switch (below(9)) {
			case 0 -> "\"v\":" + any(List.of("1", "2", "0", "-7", "1.0", "\"1\"", "null", "9".repeat(900), value()));
			case 1, 2 -> "\"p\":" + value();
			case 3 -> "\"p\":" + order();
			case 4 -> "\"h\":" + headers();
			case 5, 6 -> "\"o\":" + options();
			case 7 -> "\"" + MARKER + "\":" + value();
			default -> any(List.of("\"h\":", "\"o\":")) + value();
		};
	}

	private String order() {
		return "{\"number\":" + any(List.of("\"" + MARKER + "\"", "\"ok\"", value())) + ",\"items\":"
				+ any(List.of("1", "[\"" + MARKER + "\"]", value())) + ",\"more\":{\"" + MARKER + "\":" + value() + "}"
				+ ((below(3) == 0) ? ",\"number\":" + value() : "") + "}";
	}

	private String headers() {
		StringBuilder headers = new StringBuilder("{");
		for (int i = (below(50) == 0) ? 5000 : below(4); i > 0; i--) {
			headers.append('"')
				.append(any(List.of("number", "tenant", MARKER + i, "")))
				.append("\":")
				.append(any(List.of("\"" + MARKER + "\"", "\"1\"", value())))
				.append(',');
		}
		return headers.append("\"number\":\"").append(any(List.of("1", MARKER))).append("\"}").toString();
	}

	private String options() {
		StringBuilder options = new StringBuilder("{");
		for (int i = 1 + below(3); i > 0; i--) {
			options.append('"').append(any(OPTIONS)).append("\":").append(any(OPTION_VALUES)).append(',');
		}
		options.setCharAt(options.length() - 1, '}');
		return options.toString();
	}

	/**
	 * An id: unique by the number it is given, and often not what an id may be.
	 * @return its bytes
	 */
	public byte[] id(int number) {
		String id = "case-" + number;
		return switch (below(12)) {
			case 0 -> (id + any(List.of("\n", "\r\nERROR forged", "\u0000", "\u001b[31m", "\t", "\u007f", "\u0085")))
				.getBytes(StandardCharsets.UTF_8);
			case 1 -> spoil((id + "-ü漢😀").getBytes(StandardCharsets.UTF_8), 1, id.length());
			case 2 -> join(id.getBytes(StandardCharsets.UTF_8), noise(1 + below(20)));
			case 3 -> (id + "}:meta{" + any(List.of("{", "}", "*", "'", "%s", "{}", "${x}", "../")))
				.getBytes(StandardCharsets.UTF_8);
			case 4 -> (id + "x".repeat((below(20) == 0) ? 100_000 : 250)).getBytes(StandardCharsets.UTF_8);
			default -> id.getBytes(StandardCharsets.UTF_8);
		};
	}

	/**
	 * A score of a time that is past.
	 * @return the score as Redis reads it
	 */
	public String pastScore() {
		return any(SCORES);
	}

	/**
	 * A score that no clock will reach.
	 * @return the score as Redis reads it
	 */
	public String futureScore() {
		return any(FUTURE_SCORES);
	}

	/**
	 * A value of the deliveries hash.
	 * @return its bytes
	 */
	public byte[] deliveryRecord() {
		String record = any(COUNTS) + ":" + any(COUNTS) + ":" + any(List.of("h", "n", "l", "x", "", "hh", "N", "1"))
				+ ":" + any(COUNTS) + any(List.of(":", ":token", "", "::", ":a:b:c", ":expired"));
		return switch (below(6)) {
			case 0 -> noise(below(60));
			case 1 -> any(List.of("", "garbage", ":::", "0:0:n", "::::", "0:0:n:0", "1:2:3:4:5"))
				.getBytes(StandardCharsets.UTF_8);
			default -> record.getBytes(StandardCharsets.UTF_8);
		};
	}

	/**
	 * A value of the errors hash.
	 * @return its bytes
	 */
	public byte[] failure() {
		return switch (below(4)) {
			case 0 -> noise(below(60));
			case 1 -> ("{\"reason\":" + any(List.of("\"NONE\"", "1", "null", "[]")) + ",\"at\":"
					+ any(List.of("\"2026-01-01T00:00:00Z\"", "\"+999999999-01-01T00:00:00Z\"", "\"x\"", "1")) + "}")
				.getBytes(StandardCharsets.UTF_8);
			case 2 -> any(List.of("", "null", "1", "[", "[".repeat(3000), "\"\"", "{", "{\"at\":{\"at\":\"\"}}"))
				.getBytes(StandardCharsets.UTF_8);
			default -> spoil("{\"type\":\"T\",\"message\":\"m\",\"at\":\"2026-01-01T00:00:00Z\"}"
				.getBytes(StandardCharsets.UTF_8), 2);
		};
	}

	private byte[] noise(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private byte[] spoil(byte[] bytes, int times) {
		return spoil(bytes, times, 0);
	}

	private byte[] spoil(byte[] bytes, int times, int from) {
		for (int i = 0; i < times && bytes.length > from; i++) {
			bytes[from + below(bytes.length - from)] = (byte) below(256);
		}
		return bytes;
	}

	private static byte[] join(byte[] first, byte[] second) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(first);
		out.writeBytes(second);
		return out.toByteArray();
	}

}
