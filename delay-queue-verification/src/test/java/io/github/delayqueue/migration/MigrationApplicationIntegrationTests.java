package io.github.delayqueue.migration;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.codec.StringCodec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueMigrationAutoConfiguration;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that is configured as users do it.
 */
@Heavy
class MigrationApplicationIntegrationTests {

	private final MigrationFixture fixture = new MigrationFixture();

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	@ParameterizedTest(name = "journal: {0}")
	@ValueSource(booleans = { false, true })
	void handlesWhatRedissonWasToDeliver(boolean journal) {
		OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), this.fixture.source);
		for (int i = 0; i < 100; i++) {
			old.offer("order_" + i, 1, TimeUnit.MINUTES);
		}
		old.offer("soon", 5, TimeUnit.SECONDS);
		try (ConfigurableApplicationContext application = start(journal)) {
			MigrationRunner runner = application.getBean(MigrationRunner.class);
			DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
			Awaitility.await().until(() -> runner.progress().get(0).moved() == 101);
			assertThat(old.size()).isZero();
			Awaitility.await()
				.untilAsserted(() -> assertThat(application.getBean(Handler.class).handled).containsExactly("soon"));
			assertThat(delayQueue.find("order_timeout", "order_7")).get()
				.satisfies((task) -> assertThat(task.dueAt()).isBefore(Instant.now().plus(Duration.ofMinutes(1))));
			delayQueue.clear("order_timeout");
		}
	}

	private ConfigurableApplicationContext start(boolean journal) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(Map.of("spring.data.redis.url", TestRedis.url(), "delay-queue.key-prefix",
					"migration:" + UUID.randomUUID() + ":", "delay-queue.migration.enabled", "true",
					"delay-queue.migration.interval", "50ms", "delay-queue.migration.batch-size", "30",
					"delay-queue.journal.enabled", String.valueOf(journal), "delay-queue.journal.horizon", "30s",
					"spring.datasource.generate-unique-name", "true", "source", this.fixture.source))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
			DelayQueueMigrationAutoConfiguration.class, DelayQueueAutoConfiguration.class })
	static class Application {

		@Bean
		Migration orders(@Value("${source}") String source) {
			return RedissonMigration.from(source)
				.to("order_timeout")
				.payload(RedissonPayloads.text())
				.id((number) -> number)
				.build();
		}

		@Bean
		Handler handler() {
			return new Handler();
		}

	}

	static class Handler {

		final Queue<String> handled = new ConcurrentLinkedQueue<>();

		@DelayQueueListener(queue = "order_timeout")
		void close(String number) {
			this.handled.add(number);
		}

	}

}
