package io.github.delayqueue.benchmark.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import io.lettuce.core.RedisClient;

import io.github.delayqueue.testsupport.RedisBinary;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * What the measures run on.
 */
final class Machine {

	private Machine() {
	}

	static Map<String, String> describe() {
		Map<String, String> machine = new LinkedHashMap<>();
		machine.put("processor", Runtime.getRuntime().availableProcessors() + " cores, "
				+ value(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch")));
		machine.put("memory", value(Path.of("/proc/meminfo"), "MemTotal", "unknown"));
		machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
		try (RedisServer redis = RedisServer.startNew()) {
			machine.put("server", redis.version() + " (`" + RedisBinary.path() + "`), no persistence, over loopback");
		}
		machine.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
		machine.put("driver", "Lettuce " + RedisClient.class.getPackage().getImplementationVersion());
		return machine;
	}

	private static String value(Path file, String name, String otherwise) {
		if (!Files.isReadable(file)) {
			return otherwise;
		}
		try (var lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(name))
				.findFirst()
				.map((line) -> line.substring(name.length()).replaceFirst("^\\s*[:=]\\s*", ""))
				.orElse(otherwise);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
