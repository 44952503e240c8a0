package io.github.delayqueue;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalSchemaInitializer;
import io.github.delayqueue.autoconfigure.DelayQueueMetricsAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueObservationAutoConfiguration;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.journal.Journal;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The auto-configurations that both generations of Spring Boot share, on Spring Boot 3.
 */
class AutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, JacksonAutoConfiguration.class,
				DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				DelayQueueAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
				DelayQueueMetricsAutoConfiguration.class, DelayQueueObservationAutoConfiguration.class));

	@Test
	void declaresTheJournalAndCreatesItsTablesUnlessTheyAreNotWanted() {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues("delay-queue.journal.enabled=true",
				"delay-queue.server-check.enabled=false", "spring.datasource.generate-unique-name=true");
		runner.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(Journal.class)
			.hasSingleBean(DelayQueueJournalSchemaInitializer.class));
		runner.withPropertyValues("delay-queue.journal.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The tables of the journal are not there"));
	}

	@Test
	void writesPayloadsByTheObjectMapperOfTheApplication() {
		this.contextRunner.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE").run((context) -> {
			TaskCodec codec = context.getBean(TaskCodec.class);
			Order order = new Order(Instant.parse("2026-01-01T00:00:00.5Z"), List.of("a"));
			byte[] envelope = codec.writeEnvelope("q", "a", new Payload(order, null), Map.of(), TaskOptions.NONE, 1000);
			assertThat(envelope).asString()
				.isEqualTo("{\"v\":1,\"p\":{\"due_at\":\"2026-01-01T00:00:00.500Z\",\"item_names\":[\"a\"]}}");
			assertThat(codec.readPayload("q", "a", codec.readEnvelope(envelope), Order.class)).isEqualTo(order);
		});
	}

	record Order(Instant dueAt, List<String> itemNames) {

	}

}
