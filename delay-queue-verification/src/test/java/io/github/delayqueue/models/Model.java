package io.github.delayqueue.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A model in TLA+.
 *
 * @param name its name, as that of its file and of the folder with its configurations
 * @param text its text
 */
record Model(String name, String text) {

	static final Path FOLDER = ModelChecker.MODELS;

	private static final Pattern CODE = Pattern.compile("(?m)^\\\\\\* code: (.+)$");

	/** A definition that changes something says what it leaves as it is. */
	private static final String CHANGES = "UNCHANGED <<";

	private static final Pattern GUARD = Pattern.compile("\\bIs\\(\"([^\"]+)\"\\)");

	static Stream<Model> all() {
		try (Stream<Path> files = Files.list(FOLDER)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((file) -> file.endsWith(".tla"))
				.sorted()
				.map((file) -> new Model(file.substring(0, file.length() - 4), read(FOLDER.resolve(file))))
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The steps of which nothing says what code they stand for.
	 * @return the beginning of each
	 */
	List<String> stepsWithoutCode() {
		return Stream.of(this.text.split("\n\n"))
			.filter((paragraph) -> paragraph.contains(CHANGES) && !CODE.matcher(paragraph).find())
			.map((paragraph) -> paragraph.lines().filter((line) -> line.contains("==")).findFirst().orElse(paragraph))
			.toList();
	}

	/**
	 * The code that the steps stand for.
	 * @return methods, as in {@code ClaimLoop#run}, and scripts
	 */
	Set<String> code() {
		return CODE.matcher(this.text)
			.results()
			.flatMap((line) -> Stream.of(line.group(1).split(", ")))
			.filter((code) -> !code.equals("none"))
			.collect(Collectors.toSet());
	}

	/**
	 * What a configuration can break.
	 * @return as the text says it
	 */
	Set<String> guards() {
		return GUARD.matcher(this.text).results().map((guard) -> guard.group(1)).collect(Collectors.toSet());
	}

	@Override
	public String toString() {
		return this.name;
	}

}
