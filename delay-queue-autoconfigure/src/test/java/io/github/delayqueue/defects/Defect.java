package io.github.delayqueue.defects;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A deliberate defect: a patch whose head says what it breaks, what rule of the fault
 * suite has to notice it, and which fault shows it best.
 *
 * @param name name of the file
 * @param rule the rule, as the suite prints it
 * @param firstFault a {@code FaultKind}
 * @param needsClock whether it shows only where a server's clock can be set
 * @param patches what it changes
 */
record Defect(String name, String rule, String firstFault, boolean needsClock, List<SourcePatch> patches) {

	private static final Path FOLDER = Path.of("src", "test", "defects");

	private static final String SUFFIX = ".patch";

	static Stream<Defect> all() {
		try (Stream<Path> files = Files.list(FOLDER)) {
			return files.filter((file) -> file.toString().endsWith(SUFFIX))
				.sorted()
				.map(Defect::read)
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Defect read(Path file) {
		try {
			List<String> lines = Files.readAllLines(file);
			String name = file.getFileName().toString().replace(SUFFIX, "");
			return new Defect(name, head(name, lines, "Caught by: "), head(name, lines, "Begins with: "),
					lines.contains("Needs: a server whose clock can be set"), SourcePatch.parse(lines));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String head(String name, List<String> lines, String key) {
		return lines.stream()
			.filter((line) -> line.startsWith(key))
			.map((line) -> line.substring(key.length()))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("Patch " + name + " has no line '" + key + "…'"));
	}

	@Override
	public String toString() {
		return this.name;
	}

}
