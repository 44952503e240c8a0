package io.github.delayqueue.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.config.DelayQueueSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata that tools show of {@link DelayQueueProperties}.
 */
class ConfigurationMetadataTests {

	private final Map<String, JsonNode> properties = new LinkedHashMap<>();

	/** New names by old ones, which nothing can be set by. */
	private final Map<String, String> replacements = new LinkedHashMap<>();

	ConfigurationMetadataTests() throws IOException {
		try (InputStream metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getInputStream()) {
			for (JsonNode property : new JsonMapper().readTree(metadata).get("properties")) {
				String name = property.get("name").asString();
				if (property.has("deprecation")) {
					this.replacements.put(name, property.at("/deprecation/replacement").asString());
				}
				else {
					this.properties.put(name, property);
				}
			}
		}
	}

	@Test
	void everyPropertyHasADescription() {
		assertThat(this.properties.values())
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).isNotBlank());
	}

	@Test
	void defaultsThatAreShownAreTheDefaultsThatHold() {
		Map<String, String> shown = new LinkedHashMap<>();
		this.properties.forEach((name, property) -> {
			if (name.startsWith("delay-queue.") && property.has("defaultValue")) {
				shown.put(name, property.get("defaultValue").asString());
			}
		});
		DelayQueueProperties bound = new Binder(new MapConfigurationPropertySource(shown))
			.bind("delay-queue", DelayQueueProperties.class)
			.get();
		assertThat(PropertiesMapper.map(bound, false)).isEqualTo(DelayQueueSettings.defaults());
	}

	@Test
	void onlyPropertiesThatAreOffByDefaultOrDependHaveNoDefault() {
		assertThat(this.properties.values()).filteredOn((property) -> !property.has("defaultValue"))
			.extracting((property) -> property.get("name").asString())
			.containsExactlyInAnyOrder("delay-queue.dead-letter.max-size", "delay-queue.dead-letter.retention",
					"delay-queue.health.max-lag", "delay-queue.retry.delays",
					// by default the same as after an exception
					"delay-queue.retry.delay-after-false", "delay-queue.queues", "delay-queue.test",
					// depends on whether there is a tracer
					"delay-queue.observation.enabled",
					// depends on the database
					"delay-queue.journal.platform");
	}

	@Test
	void developmentToolsShowTheNewNamesOfRenamedProperties() {
		Map<String, String> renamed = new LinkedHashMap<>();
		RenamedProperties.NAMES.forEach((old, name) -> renamed.put("delay-queue." + old, "delay-queue." + name));
		assertThat(this.replacements).containsExactlyInAnyOrderEntriesOf(renamed);
		assertThat(this.properties).containsKeys(renamed.values().toArray(String[]::new));
	}

	@Test
	void healthCanBeSwitchedByProperty() {
		assertThat(this.properties).containsKey("management.health.delayqueue.enabled");
	}

}
