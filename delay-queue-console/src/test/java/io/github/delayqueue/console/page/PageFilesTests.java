package io.github.delayqueue.console.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is in the {@link PageFiles}.
 */
class PageFilesTests {

	private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z]+\\.js)'");

	private static final Pattern MESSAGE = Pattern.compile("(?:^|[{,])\\s*(?:'([\\w-]+)'|([\\w]+)): '",
			Pattern.MULTILINE);

	private static final Pattern USED = Pattern.compile("\\bt\\('([\\w-]+)'");

	@Test
	void pageIsSmallWhenItIsZipped() throws IOException {
		ByteArrayOutputStream zipped = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
			out.write(new PageDocument().of("./delayqueue").getBytes(StandardCharsets.UTF_8));
		}
		assertThat(names()).hasSizeGreaterThan(15);
		assertThat(zipped.size()).isLessThanOrEqualTo(50_000);
	}

	@Test
	void nativeImageKeepsEveryFile() {
		RuntimeHints hints = new RuntimeHints();
		new PageRuntimeHints().registerHints(hints, null);
		for (String name : Stream
			.concat(names().stream(), Stream.of("index.html", "style.css", "phone.css", "icon.svg"))
			.toList()) {
			assertThat(RuntimeHintsPredicates.resource().forResource("io/github/delayqueue/console/page/" + name))
				.accepts(hints);
		}
	}

	@Test
	void everythingIsSaidInBothLanguages() {
		String chinese = text("zh.js");
		Set<String> keys = keys(text("en.js"));
		assertThat(keys).hasSizeGreaterThan(100).containsAll(names().stream().flatMap(PageFilesTests::used).toList());
		assertThat(keys(chinese)).containsAll(keys);
		assertThat(keys(chinese).stream().filter((key) -> !keys.contains(key))).as("said by the server in English")
			.allMatch((key) -> Stream.of("trouble_", "advice_", "last_").anyMatch(key::startsWith));
	}

	@Test
	void wordsAreThoseOfTheEndpoint() {
		String text = text("en.js");
		for (RecordComponent total : QueueStats.Totals.class.getRecordComponents()) {
			assertThat(text).containsPattern("(?i)total_" + total.getName() + ": '" + words(total.getName()) + "'");
		}
		for (TaskState state : TaskState.values()) {
			assertThat(text).containsPattern("(?i)\\b" + state + ": '" + words(state.toString()) + "'");
		}
	}

	/** Those of a name: leases lost, in flight. */
	private static String words(String name) {
		return name.replaceAll("_|(?<=[a-z])(?=[A-Z])", "[ -]");
	}

	/** The stylesheet, the icon and all scripts, by way of what imports them. */
	private static Set<String> names() {
		Set<String> names = new TreeSet<>(Set.of("index.html", "style.css", "phone.css", "icon.svg"));
		addWithImports("app.js", names);
		return names;
	}

	private static void addWithImports(String name, Set<String> names) {
		if (names.add(name)) {
			IMPORT.matcher(text(name)).results().forEach((found) -> addWithImports(found.group(1), names));
		}
	}

	private static Stream<String> used(String name) {
		return USED.matcher(text(name)).results().map((found) -> found.group(1));
	}

	private static Set<String> keys(String messages) {
		Function<MatchResult, String> name = (found) -> Objects.requireNonNullElse(found.group(1), found.group(2));
		return MESSAGE.matcher(messages).results().map(name).collect(Collectors.toCollection(TreeSet::new));
	}

	private static String text(String name) {
		return PageFiles.read(name);
	}

}
