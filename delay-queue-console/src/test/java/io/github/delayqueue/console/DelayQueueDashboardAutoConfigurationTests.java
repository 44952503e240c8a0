package io.github.delayqueue.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.console.page.DelayQueueUiEndpoint;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for the page of {@link DelayQueueEndpointAutoConfiguration}.
 */
class DelayQueueDashboardAutoConfigurationTests {

	private final WebApplicationContextRunner servlet = with(new WebApplicationContextRunner());

	private final ReactiveWebApplicationContextRunner reactive = with(new ReactiveWebApplicationContextRunner());

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R with(R runner) {
		return runner
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class,
					DelayQueueTroubleAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));
	}

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R exposed(R runner) {
		return runner.withPropertyValues("management.endpoints.web.exposure.include=delayqueueui");
	}

	@Test
	void absentByDefault() {
		this.servlet.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueUiEndpoint.class));
		this.reactive.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueUiEndpoint.class));
	}

	@Test
	void presentWhereItIsExposed() {
		exposed(this.servlet).run((context) -> assertThat(context).hasSingleBean(DelayQueueUiEndpoint.class));
		exposed(this.reactive).run((context) -> assertThat(context).hasSingleBean(DelayQueueUiEndpoint.class));
	}

	@Test
	void knowsNoAddressWithoutTheOtherEndpoint() {
		AutoConfigurations web = AutoConfigurations.of(WebEndpointAutoConfiguration.class);
		exposed(this.servlet).withConfiguration(web).run(DelayQueueDashboardAutoConfigurationTests::assertNoAddress);
		exposed(this.reactive).withConfiguration(web).run(DelayQueueDashboardAutoConfigurationTests::assertNoAddress);
	}

	private static void assertNoAddress(ApplicationContext context) throws IOException {
		assertThat(context.getBean(PathMappedEndpoints.class).getEndpoint(EndpointId.of("delayqueueui"))).isNotNull();
		Resource document = context.getBean(DelayQueueUiEndpoint.class).page().getBody();
		assertThat(document.getContentAsString(StandardCharsets.UTF_8))
			.contains("<meta name=\"endpoint\" content=\"\">");
	}

	@Test
	void presentWithoutTheOtherStackAndWithoutSpringSecurity() {
		exposed(this.servlet)
			.withClassLoader(
					new FilteredClassLoader("org.springframework.web.reactive", "org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DelayQueueUiEndpoint.class));
		exposed(this.reactive)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet", "jakarta.servlet",
					"org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DelayQueueUiEndpoint.class));
	}

	@Test
	void absentWhereThereIsNoWeb() {
		exposed(with(new ApplicationContextRunner()))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueUiEndpoint.class));
	}

	@Test
	void absentWithoutActuator() {
		exposed(this.servlet).withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueUiEndpoint"));
	}

	@Test
	void absentWithoutAccess() {
		for (String property : new String[] { "management.endpoint.delayqueueui.access=NONE",
				"management.endpoints.access.max-permitted=NONE" }) {
			exposed(this.servlet).withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueUiEndpoint.class));
		}
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		exposed(this.servlet).withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueUiEndpoint.class));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		DelayQueueUiEndpoint endpoint = mock();
		exposed(this.servlet).withBean(DelayQueueUiEndpoint.class, () -> endpoint)
			.run((context) -> assertThat(context.getBean(DelayQueueUiEndpoint.class)).isSameAs(endpoint));
	}

}
