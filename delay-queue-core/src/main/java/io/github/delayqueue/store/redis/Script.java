package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * A Lua script for an atomic step, with the keys of a queue that it declares. For parts
 * of the delay queue, which keep theirs in their own packages. Thread-safe.
 */
public final class Script {

	private static final Pattern PART = Pattern.compile("-- part: (\\S+)\\R");

	private final String file;

	private final String stepName;

	private final QueueKey[] keys;

	private final boolean reading;

	private final byte[] text;

	private final String sha1;

	private final boolean waking;

	private Script(Class<?> home, String file, String stepName, boolean reading, QueueKey... keys) {
		this.file = file;
		this.stepName = stepName;
		this.keys = keys;
		this.reading = reading;
		// once: ResourceScriptSource looks at the file on every call
		String text = read(home, file);
		this.text = RedisKeys.bytes(text);
		this.sha1 = DigestUtils.sha1DigestAsHex(text);
		this.waking = text.contains("'PUBLISH'");
	}

	/**
	 * A script that writes. It is repeated only where the server has certainly not
	 * carried it out.
	 * @param home a class of the package that has the file
	 * @param stepName the step as it reads in a message, before the word "queue"
	 * @param keys those of a queue that it needs, in this order
	 */
	public static Script writing(Class<?> home, String file, String stepName, QueueKey... keys) {
		return new Script(home, file, stepName, false, keys);
	}

	/**
	 * A script that writes nothing. It may be repeated when its answer was lost.
	 * @param home a class of the package that has the file
	 * @param stepName the step as it reads in a message, before the word "queue"
	 * @param keys those of a queue that it needs, in this order
	 */
	public static Script reading(Class<?> home, String file, String stepName, QueueKey... keys) {
		return new Script(home, file, stepName, true, keys);
	}

	public String stepName() {
		return this.stepName;
	}

	/**
	 * Whether the script publishes wake messages and ends its reply with why it could
	 * not.
	 */
	boolean isWaking() {
		return this.waking;
	}

	boolean isReading() {
		return this.reading;
	}

	List<byte[]> keys(RedisKeys keys, String queue) {
		List<byte[]> values = new ArrayList<>(this.keys.length);
		for (QueueKey key : this.keys) {
			values.add(keys.key(queue, key));
		}
		return values;
	}

	public String sha1() {
		return this.sha1;
	}

	byte[] text() {
		return this.text;
	}

	/** With the parts that it shares with others, which the store has for all. */
	private static String read(Class<?> home, String file) {
		ClassPathResource resource = new ClassPathResource(file, home);
		try {
			String text = (resource.exists() ? resource : new ClassPathResource(file, Script.class))
				.getContentAsString(StandardCharsets.UTF_8);
			return PART.matcher(text).replaceAll((part) -> Matcher.quoteReplacement(read(home, part.group(1))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + file + " cannot be read", ex);
		}
	}

	@Override
	public String toString() {
		return this.file;
	}

}
