package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that says when each heavy part of CI passed last, and by which commit.
 */
class HeavyPartsTests {

	private static final Pattern PART = Pattern.compile("(?m)^\t([a-z0-9-]+) {2,}\\S.*$");

	private static final Pattern ROW = Pattern.compile(
			"\\| `([a-z0-9-]+)` \\| (?:\\d{1,2} [A-Z][a-z]+ 20\\d\\d \\| `[0-9a-f]{8}`|never in one piece \\|) \\| \\S.*\\|");

	private static final Pattern CALL = Pattern.compile("\\.ci/heavy(?: --keep)? ([a-z0-9-]+)");

	@Test
	void eachPartHasARowWithDayAndCommit() {
		List<String> rows = Document.read("docs/internals/reruns.md")
			.prose()
			.stream()
			.flatMap((line) -> ROW.matcher(line).results())
			.map((row) -> row.group(1))
			.toList();
		assertThat(rows).isNotEmpty().containsExactlyElementsOf(parts());
	}

	@Test
	void documentsNamePartsThatExist() {
		Set<String> named = Document.all()
			.stream()
			.flatMap((document) -> document.prose().stream())
			.flatMap((line) -> CALL.matcher(line).results())
			.map((call) -> call.group(1))
			.collect(Collectors.toSet());
		assertThat(parts()).isNotEmpty();
		assertThat(named).isNotEmpty().allMatch((name) -> name.matches("list|all") || parts().contains(name));
	}

	private static List<String> parts() {
		try {
			String text = Files.readString(Document.ROOT.resolve(".ci/heavy"));
			String list = text.substring(text.indexOf("<<-PARTS"), text.indexOf("\n\tPARTS"));
			return PART.matcher(list).results().map((part) -> part.group(1)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
