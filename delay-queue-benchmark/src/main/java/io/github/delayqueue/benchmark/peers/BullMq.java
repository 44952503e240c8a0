package io.github.delayqueue.benchmark.peers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.springframework.core.io.ClassPathResource;

import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.ChildJvm;

/**
 * BullMQ, measured by a program of its own where Node.js and the package are.
 */
public final class BullMq {

	/** BullMQ. */
	public static final SystemType TYPE = new SystemType("bullmq", "BullMQ",
			"Jobs of Node.js: scripts that move them between lists and sorted sets, with attempts and stalled checks.",
			Set.of(Trait.REDIS, Trait.NODE), (servers) -> {
				throw new UnsupportedOperationException("It is no Java");
			});

	/** Where {@code npm install --prefix} has put it. */
	private static final Path FOLDER = Path.of(System.getProperty("benchmark.bullmq", "target/bullmq"));

	private BullMq() {
	}

	public static boolean isAvailable() {
		return node().isPresent() && Files.isDirectory(FOLDER.resolve("node_modules").resolve("bullmq"));
	}

	private static Optional<Path> node() {
		return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, "node"))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/**
	 * Begin a process that measures it.
	 * @param arguments as those of a process in Java
	 * @return the process, not started
	 */
	public static ChildJvm.Builder process(List<String> arguments) {
		// beside the package, so that Node.js finds that
		Path script = FOLDER.resolve("bullmq.mjs").toAbsolutePath();
		try {
			Files.write(script, new ClassPathResource("bullmq.mjs", BullMq.class).getContentAsByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		List<String> command = new ArrayList<>(List.of(script.toString()));
		command.addAll(arguments);
		return ChildJvm.of(command).java(node().orElseThrow());
	}

}
