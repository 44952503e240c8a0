package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.data.redis.core.script.DigestUtils;

/**
 * A Lua script for an atomic step, with the keys of a queue that it declares. For parts
 * of the delay queue, which keep theirs in their own packages. Thread-safe.
 */
public final class Script {

	private static final Pattern PART = Pattern.compile("-- part: (\\S+)\\R");

	private static final String FILES_OF_PARTS = "-- files of parts\n";

	/** Where its files are looked for, one after the other. */
	private final List<Class<?>> homes;

	private final String file;

	private final String stepName;

	private final QueueKey[] keys;

	private final List<String> keysOfHome;

	private final String filesOfParts;

	/** The same for others, by classes of parts. */
	private final Map<Object, Script> variants = new ConcurrentHashMap<>();

	private final boolean reading;

	private final byte[] text;

	private final String sha1;

	private final boolean waking;

	private Script(List<Class<?>> homes, String file, String stepName, boolean reading, QueueKey[] keys,
			List<String> keysOfHome, String filesOfParts) {
		this.homes = homes;
		this.file = file;
		this.stepName = stepName;
		this.reading = reading;
		this.keys = keys;
		this.keysOfHome = keysOfHome;
		this.filesOfParts = filesOfParts;
		// once: ResourceScriptSource looks at the file on every call
		String text = read(homes, file, 0).replace(FILES_OF_PARTS, filesOfParts);
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
		return new Script(List.of(home, Script.class), file, stepName, false, keys, List.of(), FILES_OF_PARTS);
	}

	/** As {@link #writing}, but it may be repeated when its answer was lost. */
	public static Script reading(Class<?> home, String file, String stepName, QueueKey... keys) {
		return new Script(List.of(home, Script.class), file, stepName, true, keys, List.of(), FILES_OF_PARTS);
	}

	/** The same for queues that a part keeps, with its own keys. */
	Script in(Class<?> home, List<String> keys) {
		return this.variants.computeIfAbsent(home, (key) -> {
			List<Class<?>> homes = new ArrayList<>(this.homes);
			homes.add(0, home);
			return new Script(homes, this.file, this.stepName, this.reading, this.keys, keys, this.filesOfParts);
		});
	}

	/** The same with files of parts, by the classes that they lie beside. */
	Script with(Map<Class<?>, String> files) {
		return this.variants.computeIfAbsent(files.keySet(), (key) -> {
			StringBuilder texts = new StringBuilder();
			files.forEach((home, name) -> texts.append(read(List.of(home), name + ".lua", 0)));
			return new Script(this.homes, this.file, this.stepName, this.reading, this.keys, this.keysOfHome,
					texts.toString());
		});
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
		List<byte[]> values = new ArrayList<>(this.keys.length + this.keysOfHome.size());
		for (QueueKey key : this.keys) {
			values.add(keys.key(queue, key));
		}
		for (String suffix : this.keysOfHome) {
			values.add(keys.key(queue, suffix));
		}
		return values;
	}

	public String sha1() {
		return this.sha1;
	}

	byte[] text() {
		return this.text;
	}

	/**
	 * With the parts that it shares with others, which the store has for all. A file that
	 * names itself as a part has there what it stands in place of.
	 */
	private static String read(List<Class<?>> homes, String file, int from) {
		for (int i = from; i < homes.size(); i++) {
			int next = i + 1;
			try (InputStream in = homes.get(i).getResourceAsStream(file)) {
				if (in != null) {
					return PART.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
						.replaceAll((part) -> Matcher
							.quoteReplacement(read(homes, part.group(1), part.group(1).equals(file) ? next : 0)));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Script " + file + " cannot be read", ex);
			}
		}
		throw new IllegalStateException("Script " + file + " is not there, beside " + homes);
	}

	@Override
	public String toString() {
		return this.file;
	}

}
