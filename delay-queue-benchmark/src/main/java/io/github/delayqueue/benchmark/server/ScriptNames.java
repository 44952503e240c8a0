package io.github.delayqueue.benchmark.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * Which script of the delay queue an {@code EVALSHA} runs.
 */
public final class ScriptNames {

	private static final List<String> NAMES = List.of("schedule", "claim", "settle", "extend", "cancel", "reschedule",
			"redrive", "purge", "clear", "pause", "resume", "list", "stats", "check");

	private static final Map<String, String> BY_DIGEST = new HashMap<>();

	static {
		NAMES.forEach((name) -> BY_DIGEST.put(digest(name), name));
	}

	private ScriptNames() {
	}

	/**
	 * The name of a script.
	 * @param digest its SHA-1 digest
	 * @param other what to answer if it is none of ours
	 * @return its name, such as {@code claim}
	 */
	public static String of(String digest, String other) {
		return BY_DIGEST.getOrDefault(digest.toLowerCase(Locale.ROOT), other);
	}

	static String digest(String name) {
		try (InputStream in = RedisTaskStore.class.getResourceAsStream(name + ".lua")) {
			if (in == null) {
				throw new IllegalStateException("The delay queue has no script '" + name + "'");
			}
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(in.readAllBytes()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}
