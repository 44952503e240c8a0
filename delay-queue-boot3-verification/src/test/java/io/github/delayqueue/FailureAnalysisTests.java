package io.github.delayqueue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.boot3.DelayQueueBoot3AutoConfiguration;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What an application on Spring Boot 3 that does not start says.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	@Test
	void starterForSpringBoot4Alone(CapturedOutput output) {
		fail(new FilteredClassLoader(DelayQueueBoot3AutoConfiguration.class), Plain.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no delay-queue-boot3-starter in an application on Spring Boot 3.5.")
			.contains("Depend on delay-queue-boot3-starter alone, which is for Spring Boot 3.5.");
	}

	/** What Maven brings then: for what both versions have, that of Spring Boot 3. */
	@Test
	void bothStarters() throws IOException {
		try (ChildJvm application = start("org/springframework/boot/|tools/jackson/")) {
			assertThat(application.awaitEnd(Patience.LIMIT)).isOne();
			assertThat(application.log()).contains("APPLICATION FAILED TO START")
				.contains("There are jars of Spring Boot 4, as delay-queue-starter brings them, in an application on "
						+ "Spring Boot 3.5.")
				.contains("Remove delay-queue-starter. Depend on delay-queue-boot3-starter alone");
		}
	}

	/** Another library may need it. Payloads are the application's own Jackson's. */
	@Test
	void jacksonOfSpringBoot4AloneIsNoMistake() throws IOException {
		try (ChildJvm application = start("tools/jackson/")) {
			assertThat(application.awaitEnd(Patience.LIMIT)).as(application::log).isZero();
			assertThat(application.log()).contains("payload {\"order_no\":1}");
		}
	}

	private static ChildJvm start(String groups) throws IOException {
		Set<Path> ours = artifacts(System.getProperty("java.class.path")).map(FailureAnalysisTests::withoutVersion)
			.collect(Collectors.toSet());
		String others = artifacts(
				Files.readString(Path.of("..", "delay-queue-autoconfigure", "target", "boot4.classpath")))
			.filter((jar) -> Pattern.compile(groups).matcher(jar.toString()).find()
					&& !ours.contains(withoutVersion(jar)))
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
		assertThat(others).contains("jackson-databind-3.");
		return ChildJvm
			.of(List.of("-cp", System.getProperty("java.class.path") + File.pathSeparator + others,
					Plain.class.getName()))
			.start();
	}

	private static Stream<Path> artifacts(String classPath) {
		return Arrays.stream(classPath.split(File.pathSeparator)).filter((jar) -> jar.endsWith(".jar")).map(Path::of);
	}

	private static Path withoutVersion(Path jar) {
		return jar.getParent().getParent();
	}

	@Test
	void propertyThatWasRenamed(CapturedOutput output) {
		fail(getClass().getClassLoader(), Plain.class, "--delay-queue.queues.orders.listener.ttr=5s");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("is delay-queue.queues.orders.listener.lease-duration.");
	}

	@Test
	void severalObjectMappers(CapturedOutput output) {
		fail(getClass().getClassLoader(), SeveralMappers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There are 2 beans of type ObjectMapper, of which none is primary: mine, other.")
			.contains("TaskCodec delayQueueCodec(@Qualifier(\"mine\") ObjectMapper mapper)")
			.contains("return TaskCodec.of(new Jackson2PayloadMapper(mapper));");
	}

	private static void fail(ClassLoader classLoader, Class<?> configuration, String... arguments) {
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(classLoader), configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments).close());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Plain {

		public static void main(String[] arguments) {
			SpringApplication application = new SpringApplication(Plain.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			try (ConfigurableApplicationContext context = application.run(
					"--spring.jackson.property-naming-strategy=SNAKE_CASE",
					"--delay-queue.server-check.enabled=false")) {
				TaskCodec codec = context.getBean(TaskCodec.class);
				byte[] envelope = codec.writeEnvelope("q", "a", new Payload(new Order(1), null), Map.of(),
						TaskOptions.NONE, 1000);
				System.out.println("payload " + codec.readEnvelope(envelope).payloadJson());
			}
		}

	}

	record Order(int orderNo) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DelayQueueAutoConfiguration.class, RedisAutoConfiguration.class })
	static class SeveralMappers {

		@Bean
		ObjectMapper mine() {
			return new ObjectMapper();
		}

		@Bean
		ObjectMapper other() {
			return new ObjectMapper();
		}

	}

}
