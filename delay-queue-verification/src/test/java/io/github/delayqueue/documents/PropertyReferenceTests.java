package io.github.delayqueue.documents;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.Modules;
import io.github.delayqueue.autoconfigure.DelayQueueProperties;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Queue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables in {@code docs/reference/properties.md} are the properties that there are:
 * no more, no fewer, with these types and defaults, and for single queues where they say
 * so.
 */
class PropertyReferenceTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "reference", "properties.md");

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final Pattern ANCHOR = Pattern.compile("^\\| `([^`]+)` <a id=\"([^\"]+)\"></a> \\|");

	private static final String OF_QUEUE = "delay-queue.queues.<name>.";

	@Test
	void propertiesAreThoseOfTheMetadata() throws IOException {
		Map<String, String> expected = new TreeMap<>();
		for (JsonNode property : metadata()) {
			expected.put(property.get("name").asString(), typeAndDefault(property));
			assertThat(property.path("description").asString("")).as(property.toString()).isNotBlank();
		}
		Map<String, String> documented = new TreeMap<>();
		for (Row row : rows()) {
			if (!row.name().startsWith(OF_QUEUE)) {
				documented.put(row.name(), row.typeAndDefault());
			}
		}
		assertThat(documented).isEqualTo(expected);
	}

	@Test
	void propertiesThatOnlyQueuesHaveAreThoseOfTheirRecord() throws IOException, ReflectiveOperationException {
		Queue queue = new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate("any", Queue.class);
		Map<String, String> documented = new TreeMap<>();
		Map<String, String> expected = new TreeMap<>();
		for (Row row : rows()) {
			if (row.perQueue().equals("only")) {
				documented.put(row.name(), row.typeAndDefault());
			}
		}
		ownValues(queue, "", names(DelayQueueProperties.class, ""), expected);
		assertThat(documented).isEqualTo(expected);
	}

	@Test
	void propertiesThatQueuesMayHaveAreMarked() throws IOException {
		Set<String> documented = new TreeSet<>();
		for (Row row : rows()) {
			assertThat(row.perQueue()).as(row.name()).isIn("no", "yes", "only");
			if (row.perQueue().equals("yes")) {
				documented.add(row.name().replaceFirst("^delay-queue\\.", OF_QUEUE));
			}
			else if (row.perQueue().equals("only")) {
				documented.add(row.name());
			}
		}
		assertThat(documented).isEqualTo(names(Queue.class, OF_QUEUE));
	}

	/** So that messages, posts and other documents can link to a property. */
	@ParameterizedTest
	@ValueSource(strings = { "docs/reference/properties.md", "docs/zh/properties.md" })
	void eachPropertyOfTheMetadataHasAnAnchor(String document) throws IOException {
		Set<String> expected = new TreeSet<>();
		metadata().forEach((property) -> expected.add(property.get("name").asString()));
		rows().stream().filter((row) -> row.perQueue().equals("only")).forEach((row) -> expected.add(row.name()));
		Map<String, String> anchors = new TreeMap<>();
		for (String line : Document.read(document).prose()) {
			ANCHOR.matcher(line).results().forEach((row) -> anchors.put(row.group(1), row.group(2)));
		}
		assertThat(anchors.keySet()).isEqualTo(expected);
		assertThat(anchors).allSatisfy((name, anchor) -> assertThat(anchor).isEqualTo(name.replaceAll("[<>]", "")));
	}

	@Test
	void eachPropertyIsDocumentedOnce() throws IOException {
		assertThat(rows()).isNotEmpty().extracting(Row::name).doesNotHaveDuplicates();
	}

	/** Of all modules of the library. */
	private static List<JsonNode> metadata() throws IOException {
		List<JsonNode> properties = new ArrayList<>();
		for (Path folder : Modules.classes()) {
			Path metadata = folder.resolve(METADATA);
			if (Files.exists(metadata)) {
				new JsonMapper().readTree(Files.readString(metadata)).get("properties").forEach((property) -> {
					if (!property.has("deprecation")) {
						properties.add(property);
					}
				});
			}
		}
		return properties;
	}

	private static String typeAndDefault(JsonNode property) {
		// names without the packages and classes that they are in
		String type = property.get("type").asString().replaceAll("[a-z]+\\.|\\w+\\$", "");
		JsonNode value = property.get("defaultValue");
		return type + " " + ((value != null) ? value.asString().replace('_', '-') : "none");
	}

	/** The properties below a record, as they are written. */
	private static Set<String> names(Class<?> type, String prefix) {
		Set<String> found = new TreeSet<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + name(component);
			if (component.getType().isRecord()) {
				found.addAll(names(component.getType(), name + "."));
			}
			else {
				found.add(name);
			}
		}
		return found;
	}

	/** The types and values of those that are not among the general ones. */
	private static void ownValues(Record record, String prefix, Set<String> general, Map<String, String> values)
			throws ReflectiveOperationException {
		for (RecordComponent component : record.getClass().getRecordComponents()) {
			String name = prefix + name(component);
			Object value = component.getAccessor().invoke(record);
			if (value instanceof Record section) {
				ownValues(section, name + ".", general, values);
			}
			else if (!general.contains(name)) {
				String type = ClassUtils.resolvePrimitiveIfNecessary(component.getType()).getSimpleName();
				values.put(OF_QUEUE + name, type + " " + ((value != null) ? value : "none"));
			}
		}
	}

	private static String name(RecordComponent component) {
		return DataObjectPropertyName.toDashedForm(component.getName());
	}

	private static List<Row> rows() throws IOException {
		List<Row> rows = new ArrayList<>();
		for (String line : Files.readAllLines(DOCUMENT)) {
			if (line.startsWith("| `delay-queue.") || line.startsWith("| `management.")) {
				String[] cells = line.replaceAll("`| <a id[^|]*", "").split("\\|");
				assertThat(cells).as(line).hasSize(7);
				rows.add(new Row(cells[1].trim(), cells[2].trim(), cells[3].trim(), cells[4].trim()));
			}
		}
		return rows;
	}

	private record Row(String name, String type, String defaultValue, String perQueue) {

		String typeAndDefault() {
			return this.type + " " + this.defaultValue;
		}

	}

}
