package io.github.delayqueue.defects;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A deliberate defect: a patch whose head says what it breaks, which suite has to notice
 * it by what rule, and which fault shows it best.
 *
 * @param name name of the file
 * @param suite the suite, {@link DefectSuite#FAULTS} unless it says otherwise
 * @param rule the rule, as the suite prints it
 * @param simulated the rule by which the simulation with the scripts notices it, empty if
 * it does not
 * @param firstFault a {@code FaultKind}, empty for none
 * @param needsClock whether it shows only where a server's clock can be set
 * @param patches what it changes
 */
record Defect(String name, DefectSuite suite, String rule, String simulated, String firstFault, boolean needsClock,
		List<SourcePatch> patches) {

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
			return new Defect(name, DefectSuite.valueOf(head(lines, "Suite: ").orElse(DefectSuite.FAULTS.name())),
					head(lines, "Caught by: ").orElseThrow(
							() -> new IllegalStateException("Patch " + name + " does not say by what it is caught")),
					head(lines, "Simulated: ").orElse(""), head(lines, "Begins with: ").orElse(""),
					lines.contains("Needs: a server whose clock can be set"), SourcePatch.parse(lines));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Optional<String> head(List<String> lines, String key) {
		return lines.stream()
			.filter((line) -> line.startsWith(key))
			.map((line) -> line.substring(key.length()))
			.findFirst();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
