package io.github.delayqueue.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueMetricsAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueObservationAutoConfiguration;
import io.github.delayqueue.console.DelayQueueTroubleAutoConfiguration;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tables in {@code docs/reference/metrics.md} are the meters of a running
 * application: no more, no fewer, with these types, tags, values and names in Prometheus.
 */
class DocumentedMetersTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "reference", "metrics.md");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	/** Tags whose values are the application's own, or depend on what happens. */
	private static final Set<String> OPEN_TAGS = Set.of("queue", "error", "messaging.system",
			"messaging.destination.name", "messaging.operation.name", "messaging.operation.type",
			"delay_queue.outcome");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueMetricsAutoConfiguration.class,
						DelayQueueTroubleAutoConfiguration.class, DelayQueueObservationAutoConfiguration.class,
						MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
						PrometheusMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
		.withUserConfiguration(Application.class)
		.withPropertyValues("delay-queue.observation.enabled=true");

	@Test
	void metersAreThoseOfTheDocument() {
		run((context) -> assertThat(registered(context.getBean(MeterRegistry.class))).isEqualTo(documented()));
	}

	@Test
	void namesInPrometheusAreThoseOfTheDocument() {
		run((context) -> assertThat(exposed(context.getBean(PrometheusMeterRegistry.class)))
			.isEqualTo(documentedNames()));
	}

	@Test
	void bucketsMayBeChangedByTheUsualProperties() {
		this.contextRunner
			.withPropertyValues("management.metrics.distribution.slo.delay.queue.lateness=7ms",
					"management.metrics.distribution.percentiles-histogram.delay.queue.process=true")
			.run((context) -> {
				handleOne(context);
				String scraped = context.getBean(PrometheusMeterRegistry.class).scrape();
				assertThat(scraped.lines()
					.filter((line) -> line.startsWith("delay_queue_lateness_seconds_bucket"))
					.map((line) -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))).containsExactly("0.007", "+Inf");
				assertThat(scraped.lines()
					.filter((line) -> line.startsWith("delay_queue_process_seconds_bucket")
							&& line.contains("outcome=\"success\"")))
					.hasSizeGreaterThan(50);
			});
	}

	private void run(ContextConsumer<AssertableApplicationContext> consumer) {
		this.contextRunner.run((context) -> {
			handleOne(context);
			consumer.accept(context);
		});
	}

	private static void handleOne(AssertableApplicationContext context) throws InterruptedException {
		context.getBean(DelayQueueOperations.class).schedulePayload("documented", "payload", Duration.ZERO);
		assertThat(context.getBean(Listener.class).handled.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
			.isNotNull();
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		await().until(() -> registry.find("delay.queue.process").timers().stream().mapToLong(Timer::count).sum() == 1);
	}

	/** By name: type, and tags with the values that are not open. */
	private static Map<String, String> registered(MeterRegistry registry) {
		Map<String, Map<String, Set<String>>> tags = new TreeMap<>();
		Map<String, String> types = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			String name = meter.getId().getName();
			if (name.startsWith("delay.queue")) {
				types.put(name, meter.getId().getType().name().toLowerCase(Locale.ROOT).replace('_', ' '));
				Map<String, Set<String>> values = tags.computeIfAbsent(name, (key) -> new TreeMap<>());
				for (Tag tag : meter.getId().getTags()) {
					Set<String> seen = values.computeIfAbsent(tag.getKey(), (key) -> new TreeSet<>());
					if (!OPEN_TAGS.contains(tag.getKey())) {
						seen.add(tag.getValue());
					}
				}
			}
		}
		types.replaceAll((name, type) -> type + " " + tags.get(name));
		return types;
	}

	private static Map<String, String> documented() throws IOException {
		return rows().stream().collect(Collectors.toMap((row) -> code(row[1]).get(0), (row) -> {
			Map<String, Set<String>> tags = new TreeMap<>();
			for (String tag : row[3].split(";")) {
				List<String> codes = code(tag);
				tags.put(codes.get(0), new TreeSet<>(codes.subList(1, codes.size())));
			}
			return row[2].trim() + " " + tags;
		}, (a, b) -> a + " and " + b, TreeMap::new));
	}

	private static Set<String> documentedNames() throws IOException {
		return rows().stream().map((row) -> code(row[4]).get(0)).collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> exposed(PrometheusMeterRegistry registry) {
		return registry.scrape()
			.lines()
			.filter((line) -> line.startsWith("# TYPE delay_queue"))
			.map((line) -> line.split(" ")[2])
			.filter((name) -> !name.endsWith("_max"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static List<String[]> rows() throws IOException {
		return Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("| `delay.queue."))
			.map((line) -> line.split("\\|"))
			.filter((row) -> row.length == 6 && row[4].contains("delay_queue"))
			.toList();
	}

	private static List<String> code(String cell) {
		return CODE.matcher(cell).results().map((MatchResult result) -> result.group(1)).toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		InMemoryTaskStore store() {
			return new InMemoryTaskStore(Clock.systemUTC());
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

		@Bean
		DefaultMeterObservationHandler meterObservationHandler(MeterRegistry registry) {
			return new DefaultMeterObservationHandler(registry);
		}

	}

	static class Listener {

		private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

		@DelayQueueListener(queue = "documented")
		void handle(String payload) {
			this.handled.add(payload);
		}

	}

}
