package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

import org.springframework.core.io.ClassPathResource;

/**
 * The {@code redis-server} in the jar of {@code embedded-redis}, statically linked for
 * Linux and macOS.
 */
final class RedisExecutable {

	static final String VERSION = "7.0.15";

	private RedisExecutable() {
	}

	/**
	 * The name of the executable for a platform.
	 * @param osName as in the system property {@code os.name}
	 * @param osArch as in the system property {@code os.arch}
	 * @return the name of the class path resource
	 * @throws EmbeddedRedisException if there is none
	 */
	static String resourceName(String osName, String osArch) {
		String os = osName.toLowerCase(Locale.ROOT);
		String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : "";
		String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64" -> "amd64";
			case "aarch64", "arm64" -> "arm64";
			default -> "";
		};
		if (system.isEmpty() || processor.isEmpty()) {
			throw new EmbeddedRedisException("There is no embedded Redis for " + osName + " on " + osArch
					+ ", only for Linux and macOS on x86-64 and ARM 64. "
					+ "Set spring.data.redis.url to a Redis that the sample can use.", null);
		}
		return "redis-server-" + VERSION + "-" + system + "-" + processor;
	}

	/**
	 * Copy the executable for this machine to a folder, unless it is there already.
	 * @param folder the folder
	 * @return the executable
	 * @throws IOException if it cannot be written
	 */
	static Path install(Path folder) throws IOException {
		String name = resourceName(System.getProperty("os.name"), System.getProperty("os.arch"));
		ClassPathResource resource = new ClassPathResource(name);
		Path executable = folder.resolve(name);
		if (!Files.isExecutable(executable) || Files.size(executable) != resource.contentLength()) {
			// A copy that was cut short must never be taken for the whole
			Path part = folder.resolve(name + ".part");
			try (InputStream content = resource.getInputStream()) {
				Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
			}
			if (!part.toFile().setExecutable(true)) {
				throw new IOException("Cannot make " + part + " executable");
			}
			Files.move(part, executable, StandardCopyOption.ATOMIC_MOVE);
		}
		return executable;
	}

}
