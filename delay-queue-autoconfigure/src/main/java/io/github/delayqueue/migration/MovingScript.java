package io.github.delayqueue.migration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The Lua scripts that move entries, one for each atomic step. Texts are read once.
 */
enum MovingScript implements RedisScript<List<?>> {

	HOLD, TAKE, TAKE_DUE, MARK, DROP;

	private final String text;

	private final String sha1;

	MovingScript() {
		this.text = read(name().toLowerCase(Locale.ROOT) + ".lua");
		this.sha1 = DigestUtils.sha1DigestAsHex(this.text);
	}

	@Override
	public String getSha1() {
		return this.sha1;
	}

	@Override
	@SuppressWarnings("unchecked")
	public Class<List<?>> getResultType() {
		return (Class<List<?>>) (Class<?>) List.class;
	}

	@Override
	public String getScriptAsString() {
		return this.text;
	}

	private static String read(String file) {
		try (InputStream in = MovingScript.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException(
						"Script " + file + " is missing beside " + MovingScript.class.getName());
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + file + " cannot be read", ex);
		}
	}

}
