package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import redis.embedded.RedisExecProvider;

/**
 * Where the {@code redis-server} to test with is: what the environment variable
 * {@code REDIS_SERVER} says, else the first on the {@code PATH}, else the one that a
 * Maven artifact carries.
 */
public final class RedisBinary {

	private static final Path PATH = find();

	private RedisBinary() {
	}

	/**
	 * Which executable is run.
	 * @return its path, the same one each time
	 * @throws IllegalStateException if {@code REDIS_SERVER} names no executable
	 */
	public static Path path() {
		return PATH;
	}

	private static Path find() {
		String configured = System.getenv("REDIS_SERVER");
		if (configured != null && !configured.isBlank()) {
			Path path = Path.of(configured);
			if (!Files.isExecutable(path)) {
				throw new IllegalStateException("REDIS_SERVER is '" + configured + "', which is not an executable");
			}
			return path;
		}
		return Commands.find(List.of("redis-server")).orElseGet(RedisBinary::embedded);
	}

	static Path embedded() {
		try {
			return RedisExecProvider.defaultProvider().get().toPath();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot unpack the embedded redis-server", ex);
		}
	}

}
