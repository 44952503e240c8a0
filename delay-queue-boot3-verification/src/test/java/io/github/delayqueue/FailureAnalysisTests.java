package io.github.delayqueue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.boot3.DelayQueueBoot3AutoConfiguration;

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

	@Test
	void bothStarters(CapturedOutput output, @TempDir Path folder) throws IOException {
		Path classFile = folder
			.resolve("org/springframework/boot/jackson/autoconfigure/JacksonAutoConfiguration.class");
		Files.createDirectories(classFile.getParent());
		Files.write(classFile, emptyClass());
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { folder.toUri().toURL() },
				getClass().getClassLoader())) {
			fail(classLoader, Plain.class);
		}
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There are jars of Spring Boot 4, as delay-queue-starter brings them, in an application on "
					+ "Spring Boot 3.5.")
			.contains("Remove delay-queue-starter. Depend on delay-queue-boot3-starter alone");
	}

	private static byte[] emptyClass() {
		ClassWriter writer = new ClassWriter(0);
		writer.visit(Opcodes.V17, 0, "org/springframework/boot/jackson/autoconfigure/JacksonAutoConfiguration", null,
				"java/lang/Object", null);
		return writer.toByteArray();
	}

	@Test
	void severalObjectMappers(CapturedOutput output) {
		fail(getClass().getClassLoader(), SeveralMappers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There are 2 beans of type ObjectMapper, of which none is primary: mine, other.")
			.contains("TaskCodec delayQueueCodec(@Qualifier(\"mine\") ObjectMapper mapper)")
			.contains("return TaskCodec.of(new Jackson2PayloadMapper(mapper));");
	}

	@Test
	void invalidAndUnknownProperties(CapturedOutput output) {
		fail(getClass().getClassLoader(), Plain.class, "--delay-queue.listener.concurrency=0");
		assertThat(output).contains("Change the value of delay-queue.listener.concurrency.");
		fail(getClass().getClassLoader(), Plain.class, "--delay-queue.listner.ttr=1s");
		assertThat(output).contains("Correct the name of the property or remove it.");
	}

	private static void fail(ClassLoader classLoader, Class<?> configuration, String... arguments) {
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(classLoader), configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments).close());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Plain {

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
