package io.github.delayqueue.documents;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties in Chinese are those of the reference, with the same defaults, and for
 * single queues where it says so.
 */
class TranslatedPropertiesTests {

	private static final Map<String, String> WORDS = Map.of("无", "none", "否", "no", "可", "yes", "仅", "only");

	@Test
	void propertiesAreThoseOfReference() {
		assertThat(rows("docs/zh/properties.md", 2, 3)).isEqualTo(rows("docs/reference/properties.md", 3, 4));
	}

	private static Map<String, List<String>> rows(String document, int... columns) {
		Map<String, List<String>> rows = new TreeMap<>();
		for (String line : Document.read(document).prose()) {
			if (line.startsWith("| `delay-queue.") || line.startsWith("| `management.")) {
				String[] cells = line.replaceAll("`| <a id[^|]*", "").split("\\|");
				rows.put(cells[1].trim(), List.of(word(cells[columns[0]]), word(cells[columns[1]])));
			}
		}
		assertThat(rows).as(document).isNotEmpty();
		return rows;
	}

	private static String word(String cell) {
		return WORDS.getOrDefault(cell.trim(), cell.trim());
	}

}
