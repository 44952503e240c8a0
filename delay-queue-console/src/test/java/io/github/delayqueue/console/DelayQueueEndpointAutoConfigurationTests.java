package io.github.delayqueue.console;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueEndpointAutoConfiguration}.
 */
class DelayQueueEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class,
				DelayQueueTroubleAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class))
		.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));

	private final ApplicationContextRunner exposedContextRunner = this.contextRunner
		.withPropertyValues("management.endpoints.web.exposure.include=delayqueue");

	@Test
	void presentWhenExposed() {
		this.exposedContextRunner.run((context) -> assertThat(context).hasSingleBean(DelayQueueEndpoint.class)
			.hasSingleBean(DelayQueueEndpointWebExtension.class));
	}

	@Test
	void absentWhenNotExposedButForTheManagement() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class)
			.doesNotHaveBean(DelayQueueEndpointWebExtension.class)
			.hasSingleBean(QueueManagement.class));
	}

	@Test
	void onlyOverJmxWithoutTheWebExtension() {
		this.contextRunner
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=delayqueue")
			.run((context) -> assertThat(context).hasSingleBean(DelayQueueEndpoint.class)
				.doesNotHaveBean(DelayQueueEndpointWebExtension.class));
	}

	@Test
	void accessAndWhatIsShownComeFromTheProperties() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(ManagementSettings.class)).usingRecursiveComparison()
				.ignoringFields("journaled")
				.isEqualTo(new ManagementSettings(Access.READ_ONLY, Show.NEVER, Set.of(), (queue) -> false)));
		this.contextRunner
			.withPropertyValues("management.endpoint.delayqueue.access=UNRESTRICTED",
					"management.endpoint.delayqueue.show-values=when-authorized",
					"management.endpoint.delayqueue.roles=admin,operator")
			.run((context) -> assertThat(context.getBean(ManagementSettings.class)).usingRecursiveComparison()
				.ignoringFields("journaled")
				.isEqualTo(new ManagementSettings(Access.UNRESTRICTED, Show.WHEN_AUTHORIZED,
						Set.of("admin", "operator"), (queue) -> false)));
		this.contextRunner
			.withPropertyValues("management.endpoint.delayqueue.access=UNRESTRICTED",
					"management.endpoints.access.max-permitted=READ_ONLY")
			.run((context) -> assertThat(context.getBean(ManagementSettings.class).access())
				.isEqualTo(Access.READ_ONLY));
	}

	@Test
	void managementKnowsWhichQueuesHaveAJournal() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true",
					"delay-queue.queues.a.journal.enabled=true")
			.run((context) -> {
				ManagementSettings settings = context.getBean(ManagementSettings.class);
				assertThat(settings.journaled().test("a")).isTrue();
				assertThat(settings.journaled().test("b")).isFalse();
			});
	}

	@Test
	void absentWithoutAccess() {
		this.exposedContextRunner.withPropertyValues("management.endpoint.delayqueue.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		this.exposedContextRunner.withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
	}

	@Test
	void absentWithoutActuator() {
		this.exposedContextRunner.withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("delayQueueEndpoint")
				.doesNotHaveBean("delayQueueManagement"));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		DelayQueueEndpoint endpoint = mock();
		this.exposedContextRunner.withBean(DelayQueueEndpoint.class, () -> endpoint)
			.run((context) -> assertThat(context.getBean(DelayQueueEndpoint.class)).isSameAs(endpoint));
	}

	/** Whoever shows it: the endpoint, or the page. */
	@Test
	void nativeImageKeepsWhatTheManagementAnswers() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, QueueManagement.class);
		for (Class<?> answer : List.of(QueuesDescriptor.class, UnreadableQueueDescriptor.class,
				QueueDescriptor.Listener.class, FoundTasksDescriptor.class)) {
			assertThat(RuntimeHintsPredicates.reflection().onType(answer)).accepts(hints);
		}
	}

}
