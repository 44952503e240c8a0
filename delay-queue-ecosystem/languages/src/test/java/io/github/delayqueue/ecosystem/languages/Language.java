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
		List<String> all = new ArrayList<>(List.of(this.example.toString()));
		all.addAll(List.of(arguments));
		try {
			Run run = run(interpreter().orElseThrow(), all);
			if (run.status() != 0) {
				throw new AssertionError(this.example + " has ended with status " + run.status() + ": " + run.output());
			}
			return run.output().strip();
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
