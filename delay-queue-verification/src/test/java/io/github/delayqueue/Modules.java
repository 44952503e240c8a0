package io.github.delayqueue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The modules of the library, as they lie beside this one. Their classes are there once
 * Maven has built them: with {@code -am}, if it builds this module alone.
 */
public final class Modules {

	/** In the order of who uses whom. */
	static final List<String> LIBRARY = List.of("core", "failover", "journal", "migration", "autoconfigure", "console",
			"boot3-autoconfigure");

	/** What else is published, or read by users. */
	private static final List<String> BESIDE = List.of("test", "sample", "testsupport", "benchmark");

	private static final List<String> WITH_FIXTURES = List.of("core", "failover", "journal", "migration",
			"verification");

	private static final List<String> WITH_TESTS = List.of("core", "failover", "journal", "migration", "autoconfigure",
			"console", "verification");

	private Modules() {
	}

	/**
	 * The folders of what is published.
	 * @return the folders with the sources
	 */
	public static List<Path> sources() {
		return folders(LIBRARY, "src/main/java");
	}

	/**
	 * The folders of all but tests.
	 * @return the folders with the sources
	 */
	static List<Path> allSources() {
		return Stream.of(sources(), folders(BESIDE, "src/main/java"), folders(WITH_FIXTURES, "src/fixtures/java"))
			.flatMap(List::stream)
			.toList();
	}

	/**
	 * The folders of what is published, compiled.
	 * @return the folders with the classes and resources
	 */
	public static List<Path> classes() {
		return folders(LIBRARY, "target/classes");
	}

	static List<Path> testClasses() {
		return folders(WITH_TESTS, "target/test-classes");
	}

	static Path classesOf(String module) {
		return folder(module, "target/classes");
	}

	/**
	 * The classes of core and its scripts before they are built. What has moved stays
	 * behind in the folder of what is built.
	 */
	static List<Path> sourcesOfCore() {
		return List.of(folder("core", "src/main/java"), folder("core", "src/main/resources"));
	}

	private static List<Path> folders(List<String> modules, String name) {
		return modules.stream().map((module) -> folder(module, name)).toList();
	}

	private static Path folder(String module, String name) {
		Path folder = Path.of("..", "delay-queue-" + module, name).toAbsolutePath().normalize();
		if (!Files.isDirectory(folder)) {
			throw new IllegalStateException(folder + " is not there: build all modules, or this one with -am");
		}
		return folder;
	}

	/**
	 * The files in folders and those below.
	 * @param folders the folders
	 * @return the files
	 */
	public static Stream<Path> filesIn(List<Path> folders) {
		return folders.stream().flatMap((folder) -> {
			try (Stream<Path> files = Files.walk(folder)) {
				return files.filter(Files::isRegularFile).toList().stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/**
	 * The files in folders and those below, read.
	 * @param folders the folders
	 * @return the text of each file
	 */
	public static Map<Path, String> textsIn(List<Path> folders) {
		Map<Path, String> texts = new TreeMap<>();
		filesIn(folders).forEach((file) -> {
			try {
				texts.put(file, Files.readString(file));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
		return texts;
	}

}
