package io.github.delayqueue.ecosystem.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import redis.embedded.RedisExecProvider;

/**
 * Where {@code redis-server} is: what the environment variable {@code REDIS_SERVER} says,
 * else the first on the {@code PATH}, else the one that a Maven artifact carries.
 */
final class RedisExecutable {

	private RedisExecutable() {
	}

	static Path find() throws IOException {
		String configured = System.getenv().getOrDefault("REDIS_SERVER", "");
		if (!configured.isBlank()) {
			return Path.of(configured);
		}
		Path installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
			.filter((folder) -> !folder.isEmpty())
			.map((folder) -> Path.of(folder, "redis-server"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
		return (installed != null) ? installed : RedisExecProvider.defaultProvider().get().toPath();
	}

}
