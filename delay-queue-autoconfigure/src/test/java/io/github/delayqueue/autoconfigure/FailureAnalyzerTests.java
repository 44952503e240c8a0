package io.github.delayqueue.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.testsupport.Connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link DelayQueueFailureAnalyzer}, through the report that a failed start
 * prints.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzerTests {

	@Test
	void missingConnectionFactory(CapturedOutput output) {
		fail(NoRedis.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The delay queue needs a RedisConnectionFactory, and there is no bean of that type.")
			.contains("spring.data.redis.host")
			.contains("delay-queue.enabled=false");
	}

	@Test
	void ambiguousConnectionFactory(CapturedOutput output) {
		fail(TwoConnections.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("none is primary: orders, sessions.")
			.contains("@DelayQueueConnectionFactory");
	}

	@Test
	void ambiguousJsonMapper(CapturedOutput output) {
		fail(TwoMappers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("of which none is primary: forOrders, forPartners. "
					+ "It is not clear which one writes and reads payloads.")
			.contains("Mark one of them, and only one, as @Primary")
			.contains("TaskCodec delayQueueCodec(@Qualifier(\"forOrders\") JsonMapper mapper)");
	}

	@Test
	void primaryObjectMapperBesideThatOfSpringBoot(CapturedOutput output) {
		fail(PrimaryObjectMapper.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("of which several are primary: jacksonJsonMapper, mine.")
			.contains("Declare bean methods that return a JsonMapper with that type");
	}

	@Test
	void journalWithoutDataSource(CapturedOutput output) {
		fail(JournalWithoutDatabase.class, "--delay-queue.queues.order_timeout.journal.enabled=true");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(
					"Queue 'order_timeout' has a journal (delay-queue.queues.order_timeout.journal.enabled), and there is no "
							+ "bean of type DataSource.")
			.contains("spring.datasource.url")
			.contains("Without a journal, set delay-queue.queues.order_timeout.journal.enabled=false.");
	}

	@Test
	void invalidListener(CapturedOutput output) {
		fail(InvalidListener.class);
		assertThat(output).contains("APPLICATION FAILED TO START").contains("handle").contains("no.such.property");
	}

	@Test
	void invalidProperty(CapturedOutput output) {
		fail(Plain.class, "--delay-queue.listener.concurrency=0");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Property delay-queue.listener.concurrency has the value '0' "
					+ "(\"delay-queue.listener.concurrency\" from property source \"commandLineArgs\"), "
					+ "but it must be between 1 and 10000.")
			.contains("Change the value of delay-queue.listener.concurrency.");
	}

	@Test
	void propertyThatNeedsAModule() {
		assertThat(new DelayQueueFailureAnalyzer(new StandardEnvironment())
			.analyze(new InvalidConfigurationPropertyValueException("delay-queue.migration.enabled", true,
					"it needs the module delay-queue-migration on the class path"))
			.getAction()).isEqualTo("Add what it needs, or remove delay-queue.migration.enabled.");
	}

	@Test
	void invalidPropertySpeltInAnotherWay(CapturedOutput output) {
		fail(Plain.class, "--delayQueue.keyPrefix={a}");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Property delay-queue.key-prefix has the value '{a}' (\"delayQueue.keyPrefix\"");
	}

	@Test
	void invalidPropertyOfAQueueInBrackets(CapturedOutput output) {
		fail(Plain.class, "--delay-queue.queues[shop.orders].listener.prefetch=0");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(
					"Property delay-queue.queues[shop.orders].listener.prefetch has the value '0' (\"delay-queue.queues");
	}

	@Test
	void unknownProperty(CapturedOutput output) {
		fail(Plain.class, "--delay-queue.listner.lease-duration=1s");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The delay queue has no such property:")
			.contains("delay-queue.listner.lease-duration = 1s")
			.contains("Correct the name of the property or remove it.")
			.doesNotContain("brackets");
	}

	@Test
	void propertyThatWasRemovedSaysWhatToDoInstead(CapturedOutput output) {
		fail(Plain.class, "--delayQueue.listener.remoteControl=false");
		assertThat(output).contains("The delay queue has no such property:")
			.contains(
					"nothing replaces delay-queue.listener.remote-control: pause the queue, or ask the endpoint of that instance");
	}

	@Test
	void propertyThatWasRenamedSaysItsNewName(CapturedOutput output) {
		fail(Plain.class, "--delay-queue.listener.ttr=5s", "--delay-queue.queues[shop.orders].listener.claim-limit=7");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Properties of the delay queue have other names now: delay-queue.listener.ttr "
					+ "(\"delay-queue.listener.ttr\" from property source \"commandLineArgs\") is "
					+ "delay-queue.listener.lease-duration; ")
			.contains("is delay-queue.queues[shop.orders].listener.prefetch.")
			.contains("Rename them.");
	}

	@Test
	void queueNameWithDotsWithoutBrackets(CapturedOutput output) {
		fail(Plain.class, "--delay-queue.queues.shop.orders.listener.prefetch=7");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("delay-queue.queues.shop.orders.listener.prefetch = 7")
			.contains("Put a queue name that holds a dot or a colon in brackets");
	}

	@Test
	void otherFailuresAreLeftToOthers(CapturedOutput output) {
		fail(Plain.class, "--spring.main.web-application-type=none", "--spring.data.redis.port=none");
		assertThat(output).contains("APPLICATION FAILED TO START").contains("spring.data.redis.port");
	}

	private static void fail(Class<?> configuration, String... arguments) {
		SpringApplication application = new SpringApplication(configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments).close());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DelayQueueAutoConfiguration.class)
	static class NoRedis {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class })
	static class Plain {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
			DataRedisAutoConfiguration.class })
	static class JournalWithoutDatabase {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class })
	static class TwoConnections {

		@Bean
		RedisConnectionFactory orders() {
			return Connections.toNobody();
		}

		@Bean
		RedisConnectionFactory sessions() {
			return Connections.toNobody();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class,
			JacksonAutoConfiguration.class })
	static class TwoMappers {

		@Bean
		JsonMapper forOrders() {
			return JsonMapper.builder().build();
		}

		@Bean
		JsonMapper forPartners() {
			return JsonMapper.builder().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class,
			JacksonAutoConfiguration.class })
	static class PrimaryObjectMapper {

		@Bean
		@Primary
		ObjectMapper mine() {
			return JsonMapper.builder().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, DataRedisAutoConfiguration.class })
	static class InvalidListener {

		@DelayQueueListener(queue = "${no.such.property}")
		void handle(String payload) {
		}

	}

}
