package io.github.delayqueue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import io.github.delayqueue.console.QueueDescriptor;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueProperties;
import io.github.delayqueue.boot3.DelayQueueBoot3HealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application on Spring Boot 3 that is processed ahead of time, as for a native image.
 */
class AheadOfTimeTests {

	@Test
	void applicationIsProcessedWithTheHintsThatItNeeds() {
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		DefaultGenerationContext generated = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Application.class)), files);
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues
				.of("delay-queue.queues.orders.journal.enabled=true",
						"management.endpoints.web.exposure.include=delayqueue")
				.applyTo(context);
			context.register(Application.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
		}
		generated.writeGeneratedContent();
		RuntimeHints hints = generated.getRuntimeHints();
		for (String resource : List.of("store/redis/claim.lua", "fleet/takeover.lua", "journal/schema-h2.sql")) {
			assertThat(RuntimeHintsPredicates.resource().forResource("io/github/delayqueue/" + resource))
				.accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection().onType(Order.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethod(DelayQueueProperties.Queue.Listener.class, "batchSize")
			.invoke()).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(QueueDescriptor.class)).accepts(hints);
		assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
			.anyMatch((file) -> file.contains(DelayQueueBoot3HealthIndicator.class.getSimpleName())
					|| file.contains("DelayQueueBoot3AutoConfiguration"));
	}

	record Order(String number) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@DelayQueueListener(queue = "orders")
		void close(Order order) {
		}

	}

}
