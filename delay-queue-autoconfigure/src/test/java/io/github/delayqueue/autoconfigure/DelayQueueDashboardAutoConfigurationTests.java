package io.github.delayqueue.autoconfigure;

import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

import io.github.delayqueue.dashboard.Dashboard;
import io.github.delayqueue.dashboard.DashboardRuntimeHints;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueDashboardAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DelayQueueDashboardAutoConfigurationTests {

	private static final String WARNING = " needs no login, and tasks can be deleted";

	private static final String UNRESTRICTED = "management.endpoint.delayqueue.access=UNRESTRICTED";

	private static final String ROUTES = "delayQueueDashboardRoutes";

	private final WebApplicationContextRunner servlet = with(new WebApplicationContextRunner());

	private final ReactiveWebApplicationContextRunner reactive = with(new ReactiveWebApplicationContextRunner());

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R with(R runner) {
		return runner
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, DelayQueueAutoConfiguration.class,
					DelayQueueManagementAutoConfiguration.class, DelayQueueDashboardAutoConfiguration.class))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()));
	}

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R enabled(R runner) {
		return runner.withPropertyValues("delay-queue.dashboard.enabled=true");
	}

	@Test
	void absentByDefault() {
		this.servlet.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Dashboard.class)
			.doesNotHaveBean(ROUTES));
		this.reactive.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Dashboard.class)
			.doesNotHaveBean(ROUTES));
	}

	@Test
	void warnsIfNobodyHasToLogInToChangeQueues(CapturedOutput output) {
		enabled(this.servlet).run((context) -> assertThat(output).doesNotContain(WARNING));
		enabled(this.servlet).withPropertyValues(UNRESTRICTED)
			.withUserConfiguration(WholeSecurity.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain(WARNING);
			});
		enabled(this.servlet)
			.withPropertyValues(UNRESTRICTED, "delay-queue.dashboard.path=/queues",
					"management.endpoints.web.base-path=/manage")
			.withUserConfiguration(EndpointSecurity.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce("/queues/**" + WARNING)
					.contains("A rule of Spring Security for /manage/delayqueue/** does not protect the page");
			});
	}

	@Test
	void warnsOfAPageWithoutSpringSecurity(CapturedOutput output) {
		enabled(this.reactive).run((context) -> assertThat(output).doesNotContain(WARNING));
		enabled(this.reactive).withPropertyValues(UNRESTRICTED)
			.run((context) -> assertThat(output).containsOnlyOnce("/delay-queue/**" + WARNING));
		enabled(this.servlet).withPropertyValues(UNRESTRICTED, "delay-queue.dashboard.path=/page")
			.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(output).containsOnlyOnce("/page/**" + WARNING));
	}

	@Test
	void presentInAServletApplicationWhenEnabled() {
		enabled(this.servlet).run((context) -> assertThat(context).hasSingleBean(Dashboard.class)
			.hasSingleBean(org.springframework.web.servlet.function.RouterFunction.class));
	}

	@Test
	void presentInAReactiveApplicationWhenEnabled() {
		enabled(this.reactive).run((context) -> assertThat(context).hasSingleBean(Dashboard.class)
			.hasSingleBean(org.springframework.web.reactive.function.server.RouterFunction.class));
	}

	@Test
	void presentInAServletApplicationWithoutTheOtherStackAndWithoutSpringSecurity() {
		enabled(this.servlet)
			.withClassLoader(
					new FilteredClassLoader("org.springframework.web.reactive", "org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasBean(ROUTES));
	}

	@Test
	void presentInAReactiveApplicationWithoutTheOtherStackAndWithoutSpringSecurity() {
		enabled(this.reactive)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet", "jakarta.servlet",
					"org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasBean(ROUTES));
	}

	@Test
	void absentWhereThereIsNoWeb() {
		enabled(with(new ApplicationContextRunner())).run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Dashboard.class)
			.doesNotHaveBean(ROUTES));
	}

	@Test
	void withoutItsStackThereAreNoRoutes() {
		enabled(this.servlet).withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ROUTES));
		enabled(this.reactive).withClassLoader(new FilteredClassLoader(DispatcherHandler.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ROUTES));
	}

	@Test
	void absentWithoutActuator() {
		enabled(this.servlet).withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ROUTES));
	}

	@Test
	void absentWithoutAccessToTheEndpoint() {
		enabled(this.servlet).withPropertyValues("management.endpoint.delayqueue.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
		enabled(this.servlet).withPropertyValues("management.endpoints.access.max-permitted=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
	}

	@Test
	void absentWhenTheDelayQueueIsDisabled() {
		enabled(this.servlet).withPropertyValues("delay-queue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Dashboard.class));
	}

	@Test
	void backsOffForOneOfTheApplication() {
		Dashboard dashboard = mock();
		enabled(this.servlet).withBean(Dashboard.class, () -> dashboard)
			.run((context) -> assertThat(context.getBean(Dashboard.class)).isSameAs(dashboard));
	}

	@Test
	void pathThatIsNoneFailsAtStart() {
		enabled(this.servlet).withPropertyValues("delay-queue.dashboard.path=queues/")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("delay-queue.dashboard.path"));
	}

	@Test
	void nativeImageKeepsFilesAndAnswers() {
		RuntimeHints hints = new RuntimeHints();
		new DashboardRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/delayqueue/dashboard/index.html"))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/delayqueue/dashboard/app.js"))
			.accepts(hints);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class WholeSecurity {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class EndpointSecurity {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) {
			return http.securityMatcher("/manage/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.build();
		}

	}

}
