package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An entry in the moving area.
 *
 * @param key what it is called there
 * @param due whether it was among those that are due, and had lost its due time
 * @param score when it is due, as it stood in the source
 * @param content the entry as it lay in the source
 */
record MovingRecord(String key, boolean due, double score, byte[] content) {

	private static final Pattern FORM = Pattern.compile("([td]):([^:]*):");

	/** Reads a record, {@code null} if it is none. */
	static @Nullable MovingRecord read(byte[] key, byte[] value) {
		Matcher form = FORM.matcher(new String(value, StandardCharsets.ISO_8859_1));
		try {
			return form.lookingAt()
					? new MovingRecord(new String(key, StandardCharsets.UTF_8), form.group(1).equals("d"),
							Source.score(form.group(2)), Arrays.copyOfRange(value, form.end(), value.length))
					: null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
