package io.github.delayqueue.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.annotation.DeadLetterListener;
import io.github.delayqueue.annotation.DelayQueueListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of new names in {@code CHANGELOG.md} is what the code has: each new name
 * exists and no old one does, and the properties are those that stop the start.
 */
class RenamedNamesTests {

	private static final List<String> PACKAGES = List.of("", "producer.", "listener.", "options.", "event.", "config.");

	@Test
	void propertiesAreThoseThatStopTheStart() throws IOException {
		Map<String, String> properties = new LinkedHashMap<>();
		rows().filter((row) -> row.what().equals("property")).forEach((row) -> properties.put(row.old(), row.now()));
		assertThat(properties).isEqualTo(RenamedProperties.NAMES);
	}

	@ParameterizedTest
	@MethodSource("rows")
	void newNameIsThereAndOldOneIsNot(Row row) throws Exception {
		assertThat(exists(row.what(), row.old())).as(row.old()).isFalse();
		assertThat(row.now().equals("–") || exists(row.what(), row.now())).as(row.now()).isTrue();
	}

	private static boolean exists(String what, String name) throws Exception {
		return switch (what) {
			case "property" -> components(DelayQueueProperties.Listener.class).contains(camelCase(name));
			case "attribute" -> ClassUtils.hasMethod(DelayQueueListener.class, name)
					|| ClassUtils.hasMethod(DeadLetterListener.class, name);
			case "class" -> ClassUtils.isPresent(name, null);
			case "method" -> hasMethod(name);
			case "constant" -> Arrays.stream(type(name.substring(0, name.lastIndexOf('.'))).getEnumConstants())
				.anyMatch((constant) -> name.endsWith("." + constant));
			case "field of the endpoint" -> name.startsWith("totals.")
					? components(QueueStats.Totals.class).contains(name.substring("totals.".length()))
					: components(QueueStats.class).contains(name);
			case "action of the endpoint" ->
				Arrays.stream(Class.forName("io.github.delayqueue.console.QueueAction").getEnumConstants())
					.anyMatch((action) -> action.toString().equals(name));
			case "tag of a meter" -> isDocumented(name.split(" ")[0], name.split(" ")[1]);
			case "observation" -> Files.readAllLines(document("docs/reference/metrics.md"))
				.stream()
				.anyMatch((line) -> line.startsWith("| `" + name + "` | `"));
			default -> throw new IllegalArgumentException(what);
		};
	}

	private static String camelCase(String property) {
		String[] words = property.substring(property.indexOf('.') + 1).split("-");
		return words[0] + Arrays.stream(words)
			.skip(1)
			.map((word) -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
			.collect(Collectors.joining());
	}

	private static List<String> components(Class<?> type) {
		return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
	}

	private static boolean hasMethod(String name) {
		String owner = name.substring(0, name.lastIndexOf('.', name.indexOf('(')));
		String signature = name.substring(owner.length() + 1);
		return Arrays.stream(type(owner).getMethods()).map(RenamedNamesTests::signature).anyMatch(signature::equals);
	}

	private static String signature(Method method) {
		return method.getName() + Arrays.stream(method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", ", "(", ")"));
	}

	private static Class<?> type(String name) {
		return PACKAGES.stream()
			.map((each) -> "io.github.delayqueue." + each + name.replace('.', '$'))
			.filter((each) -> ClassUtils.isPresent(each, null))
			.findFirst()
			.map((each) -> ClassUtils.resolveClassName(each, null))
			.orElseThrow(() -> new IllegalArgumentException(name));
	}

	/** By what the code has, as another test proves. */
	private static boolean isDocumented(String meter, String tag) throws IOException {
		return Files.readAllLines(document("docs/reference/metrics.md"))
			.stream()
			.filter((line) -> line.startsWith("| `" + meter + "` |"))
			.anyMatch((line) -> line.split("\\|")[3].contains("`" + tag + "`"));
	}

	private static Path document(String name) {
		return Path.of("..", name);
	}

	static Stream<Row> rows() throws IOException {
		String log = Files.readString(document("CHANGELOG.md"));
		List<Row> rows = log.substring(log.indexOf("### Renamed"))
			.lines()
			.dropWhile((line) -> !line.startsWith("| --- |"))
			.skip(1)
			.takeWhile((line) -> line.startsWith("|"))
			.map(Row::of)
			.toList();
		assertThat(rows).hasSizeGreaterThan(30);
		return rows.stream();
	}

	record Row(String what, String old, String now) {

		static Row of(String line) {
			String[] cells = line.split("\\|");
			return new Row(cells[1].trim(), text(cells[2]), text(cells[3]));
		}

		private static String text(String cell) {
			return cell.trim().replace("`", "");
		}

	}

}
