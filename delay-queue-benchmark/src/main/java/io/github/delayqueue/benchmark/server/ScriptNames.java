package io.github.delayqueue.benchmark.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Which script of the delay queue an {@code EVALSHA} runs.
 */
public final class ScriptNames {

	private static final String SCRIPTS = "classpath:io/github/delayqueue/store/redis/*.lua";

	private static final Map<String, String> DIGESTS = digests();

	private ScriptNames() {
	}

	/**
	 * The name of a script.
	 * @param digest its SHA-1 digest
	 * @param other what to answer if it is none of ours
	 * @return its name, such as {@code claim}
	 */
	public static String of(String digest, String other) {
		String lower = digest.toLowerCase(Locale.ROOT);
		return DIGESTS.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(lower))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(other);
	}

	static String digest(String name) {
		return Objects.requireNonNull(DIGESTS.get(name), () -> "The delay queue has no script '" + name + "'");
	}

	private static Map<String, String> digests() {
		try {
			Map<String, String> digests = new HashMap<>();
			for (Resource script : new PathMatchingResourcePatternResolver().getResources(SCRIPTS)) {
				String file = Objects.requireNonNull(script.getFilename());
				digests.put(file.substring(0, file.lastIndexOf('.')), sha1(withPart(script)));
			}
			return digests;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** As it is sent. */
	private static String withPart(Resource script) throws IOException {
		String part = script.createRelative("values.lua").getContentAsString(StandardCharsets.UTF_8);
		return script.getContentAsString(StandardCharsets.UTF_8).replace("-- part: values.lua\n", part);
	}

	private static String sha1(String script) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-1").digest(script.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}
