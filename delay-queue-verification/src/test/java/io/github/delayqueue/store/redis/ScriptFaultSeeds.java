package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.redis.ScriptFaultIntegrationTests.ScriptFault;

/**
 * Which random history shows which fault in a script. A change of what histories are made
 * of makes others of them; what has to be written down then is in a file of the build.
 * Thread-safe.
 */
final class ScriptFaultSeeds {

	/** Beside the class, in the resources of the tests. */
	static final String FILE = "script-fault-seeds.properties";

	/** Where a run leaves what it found, if that is not what is written down. */
	static final Path OUTPUT = Path.of("target", FILE);

	private static final Logger logger = LoggerFactory.getLogger(ScriptFaultSeeds.class);

	private final Map<String, Long> seeds = Collections.synchronizedMap(new TreeMap<>());

	private ScriptFaultSeeds(Properties written) {
		written.stringPropertyNames().forEach((name) -> this.seeds.put(name, Long.valueOf(written.getProperty(name))));
	}

	/**
	 * Read what is written down.
	 * @return the seeds
	 */
	static ScriptFaultSeeds read() {
		Properties written = new Properties();
		try (InputStream file = ScriptFaultSeeds.class.getResourceAsStream(FILE)) {
			written.load(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new ScriptFaultSeeds(written);
	}

	/** The names of the faults that have a seed. */
	Set<String> names() {
		return Set.copyOf(this.seeds.keySet());
	}

	/**
	 * The history that is known to show a fault.
	 * @param fault the fault
	 * @return its seed, {@code null} if there is none
	 */
	@Nullable Long of(ScriptFault fault) {
		return this.seeds.get(fault.name());
	}

	/**
	 * Say which history showed a fault. If it is another one than is written down, a
	 * person is told, and finds all seeds in {@link #OUTPUT}.
	 * @param fault the fault
	 * @param seed the seed
	 */
	void note(ScriptFault fault, long seed) {
		Long before = this.seeds.put(fault.name(), seed);
		if (before == null || before != seed) {
			logger.warn(
					"{} was searched for, which takes long: history {} shows it, and {} is written down. "
							+ "Copy {} over {}",
					fault, seed, (before != null) ? before : "none", OUTPUT.toAbsolutePath(), FILE);
			write();
		}
	}

	private synchronized void write() {
		try {
			Files.write(OUTPUT,
					Arrays.stream(ScriptFault.values())
						.map(ScriptFault::name)
						.filter(this.seeds::containsKey)
						.map((name) -> name + "=" + this.seeds.get(name))
						.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
