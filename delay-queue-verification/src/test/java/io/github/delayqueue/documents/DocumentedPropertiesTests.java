package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.console.DelayQueueEndpointAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.documents.Document.Block;
import io.github.delayqueue.retry.RedeliveryPolicy;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that the documents show exist, and an application starts with them. Those of
 * Spring Boot are looked for in the metadata of the modules that the tests have.
 */
class DocumentedPropertiesTests {

	/** Of modules that the tests do not have, and of the documents' own. */
	private static final List<String> OF_OTHERS = List.of("spring.http.clients.", "shop.");

	private static final Set<String> KNOWN = new HashSet<>();

	private static final Set<String> MAPS = new HashSet<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class,
				DelayQueueJournalAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class,
				DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true")
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	@BeforeAll
	static void readMetadata() throws IOException {
		ClassLoader classLoader = DocumentedPropertiesTests.class.getClassLoader();
		for (URL url : Collections.list(classLoader.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream metadata = url.openStream()) {
				for (JsonNode property : new JsonMapper().readTree(metadata).path("properties")) {
					String name = property.get("name").asString();
					if (property.has("deprecation")) {
						continue;
					}
					KNOWN.add(name);
					if (property.path("type").asString("").startsWith("java.util.Map<")) {
						MAPS.add(name);
					}
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("blocks")
	void applicationStartsWithThem(Block block) {
		Map<String, String> properties = properties(block);
		assertThat(properties).isNotEmpty();
		assertThat(properties.keySet()).allSatisfy((name) -> assertThat(isKnown(name)).as(name).isTrue());
		withProperties(properties).run((context) -> assertThat(context).hasNotFailed());
	}

	private ApplicationContextRunner withProperties(Map<String, String> properties) {
		Map<String, Object> own = new TreeMap<>(properties);
		own.keySet().removeIf((name) -> !name.contains("delay-queue") && !name.contains("delayqueue"));
		return this.contextRunner.withInitializer((context) -> {
			// as SpringApplication does
			context.getEnvironment().setConversionService(new ApplicationConversionService());
			context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("documented", own));
		});
	}

	@Test
	void theyAreWrittenInYaml() {
		// only properties files need a backslash
		assertThat(Document.all().stream().flatMap((document) -> document.blocks("properties").stream()))
			.allSatisfy((block) -> assertThat(block.text()).as(block.toString()).contains("\\:"));
	}

	/**
	 * The examples of fixed and of linear delays are what the text beside them says.
	 */
	@ParameterizedTest
	@CsvSource({ "sms, 60, 60, 60", "mail, 60, 120, 180" })
	void retriesAreThoseOfText(String queue, int first, int second, int third) {
		Block block = blocks()
			.filter((candidate) -> candidate.document().equals("docs/reference/properties.md")
					&& candidate.section().equals("Retries"))
			.findFirst()
			.orElseThrow();
		withProperties(properties(block)).run((context) -> {
			RedeliveryPolicy policy = context.getBean(DelayQueueSettings.class).forQueue(queue).policy();
			assertThat(IntStream.rangeClosed(1, 4).mapToObj((attempt) -> policy.nextDelay(attempt, null)))
				.containsExactly(Duration.ofSeconds(first), Duration.ofSeconds(second), Duration.ofSeconds(third),
						null);
		});
	}

	/** Our own are bound, and an unknown one keeps the application from starting. */
	private static boolean isKnown(String name) {
		return name.startsWith("delay-queue.") || KNOWN.contains(name.replaceFirst("\\[\\d+]$", ""))
				|| OF_OTHERS.stream().anyMatch(name::startsWith)
				|| MAPS.stream().anyMatch((map) -> name.startsWith(map + ".") || name.startsWith(map + "["));
	}

	static Stream<Block> blocks() {
		List<Block> blocks = new ArrayList<>();
		Document.all().forEach((document) -> blocks.addAll(document.blocks("properties", "yaml", "yml")));
		// What Kubernetes is told is not for the application
		blocks.removeIf((block) -> block.text().startsWith("# Deployment"));
		assertThat(blocks).hasSizeGreaterThan(15);
		return blocks.stream();
	}

	private static Map<String, String> properties(Block block) {
		Properties properties = new Properties();
		if (block.language().equals("properties")) {
			try {
				properties.load(new StringReader(block.text()));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		else {
			YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
			yaml.setResources(new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)));
			properties = Objects.requireNonNull(yaml.getObject());
		}
		Map<String, String> sorted = new TreeMap<>();
		properties.forEach((name, value) -> sorted.put(String.valueOf(name), String.valueOf(value)));
		return sorted;
	}

}
