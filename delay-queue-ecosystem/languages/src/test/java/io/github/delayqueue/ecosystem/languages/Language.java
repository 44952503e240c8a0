package io.github.delayqueue.ecosystem.languages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The examples, and what runs them on this machine.
 */
enum Language {

	/** Debian's package python3-redis is for its own interpreter. */
	PYTHON("python/schedule.py", List.of("python3", "/usr/bin/python3"), List.of("-c", "import redis")),

	/** After npm install in the folder of the example. */
	NODE("node/schedule.mjs", List.of("node"), List.of("--input-type=module", "-e", "import 'redis'"));

	private final Path example;

	private final List<String> interpreters;

	private final List<String> importOfTheClient;

	Language(String example, List<String> interpreters, List<String> importOfTheClient) {
		this.example = Path.of("../../examples", example).toAbsolutePath().normalize();
		this.interpreters = interpreters;
		this.importOfTheClient = importOfTheClient;
	}

	/**
	 * What can run the example.
	 * @return an interpreter with the client library, empty if there is none
	 */
	Optional<String> interpreter() {
		return this.interpreters.stream().filter(this::hasClient).findFirst();
	}

	private boolean hasClient(String interpreter) {
		try {
			return run(interpreter, this.importOfTheClient).status() == 0;
		}
		catch (IOException ex) {
			// not installed
			return false;
		}
	}

	/**
	 * Run the example.
	 * @param arguments its arguments
	 * @return what it has printed
	 */
	String schedule(String... arguments) {
		return succeeded(run(List.of(this.example.toString()), arguments));
	}

	/**
	 * Run the example with arguments that it is to refuse.
	 * @param arguments its arguments
	 * @return what it has printed
	 */
	String refuse(String... arguments) {
		Run run = run(List.of(this.example.toString()), arguments);
		if (run.status() == 0) {
			throw new AssertionError(this.example + " has not refused: " + run.output());
		}
		return run.output();
	}

	/**
	 * Run the example as it says that it is to be changed for a cluster.
	 * @param arguments its arguments
	 * @return what it has printed
	 */
	String scheduleInCluster(String... arguments) {
		String text;
		try {
			text = Files.readString(this.example);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return succeeded(run(
				(this == PYTHON)
						? List.of("-c",
								"__file__ = '" + this.example + "'\n"
										+ text.replace("redis.Redis.from_url", "redis.cluster.RedisCluster.from_url"))
						: List
							.of("--input-type=module", "-e",
									text.replace("createClient({ url })", "createCluster({ rootNodes: [{ url }] })")
										.replace("import { createClient }", "import { createCluster }"),
									"-"),
				arguments));
	}

	private String succeeded(Run run) {
		if (run.status() != 0) {
			throw new AssertionError(this.example + " has ended with status " + run.status() + ": " + run.output());
		}
		return run.output().strip();
	}

	private Run run(List<String> program, String... arguments) {
		List<String> all = new ArrayList<>(program);
		all.addAll(List.of(arguments));
		try {
			return run(interpreter().orElseThrow(), all);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Run run(String interpreter, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(interpreter));
		command.addAll(arguments);
		Path output = Files.createTempFile("example", ".log");
		try {
			Process process = new ProcessBuilder(command).directory(this.example.getParent().toFile())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			if (!process.waitFor(60, TimeUnit.SECONDS)) {
				process.destroyForcibly();
				throw new AssertionError(this.example + " does not end");
			}
			return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			Files.delete(output);
		}
	}

	private record Run(int status, String output) {

	}

}
