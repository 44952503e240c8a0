package io.github.delayqueue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of what a failure was. Instances of all versions have to come to the
 * same result, or one cause is shown as two.
 */
final class FailureCause {

	/** Quoted parts, UUIDs, runs of hexadecimal digits with a number in them, numbers. */
	private static final Pattern VARIABLE = Pattern.compile("\"[^\"]*\"|(?<!\\w)'[^']*'(?!\\w)|`[^`]*`|“[^”]*”"
			+ "|(?<!\\w)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?!\\w)"
			+ "|(?<!\\w)(?=[a-fA-F]*[0-9])[0-9a-fA-F]{6,}(?!\\w)|[0-9]+");

	private static final long FNV_OFFSET = 0xcbf29ce484222325L;

	private static final long FNV_PRIME = 0x100000001b3L;

	private FailureCause() {
	}

	static String of(@Nullable DeadReason reason, @Nullable String type, @Nullable String message) {
		String text = reason + "\n" + type + "\n"
				+ ((message != null) ? VARIABLE.matcher(message).replaceAll("…") : "");
		long hash = FNV_OFFSET;
		for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (each & 0xff)) * FNV_PRIME;
		}
		return HexFormat.of().toHexDigits(hash);
	}

}
