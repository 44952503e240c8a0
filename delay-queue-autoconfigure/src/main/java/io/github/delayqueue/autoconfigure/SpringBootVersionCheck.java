package io.github.delayqueue.autoconfigure;

import java.util.function.Predicate;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.SetupException;

/** Refuses to start with the starter for another version of Spring Boot, or both. */
class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final String OUR_BOOT3_MODULE = "io.github.delayqueue.boot3.DelayQueueBoot3AutoConfiguration";

	private static final String OF_BOOT4 = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration";

	private static final String STARTER = "delay-queue-starter";

	private static final String BOOT3_STARTER = "delay-queue-boot3-starter";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		String version = SpringBootVersion.getVersion();
		// a native image has been checked when it was made, and cannot be asked for
		// classes
		if (version != null && !NativeDetector.inNativeImage()) {
			check(version, (name) -> ClassUtils.isPresent(name, context.getClassLoader()));
		}
	}

	static void check(String version, Predicate<String> isPresent) {
		if (!version.matches("3\\.[5-9]\\..*|([4-9]|\\d\\d)\\..*")) {
			throw new SetupException("The delay queue does not support Spring Boot " + version,
					"Use Spring Boot 4 and " + STARTER + ", or Spring Boot 3.5 and " + BOOT3_STARTER
							+ ". An older application can schedule tasks by the scripts in Redis.",
					null);
		}
		String application = " in an application on Spring Boot " + version;
		boolean boot3Module = isPresent.test(OUR_BOOT3_MODULE);
		if (version.startsWith("3.")) {
			String use = "Depend on " + BOOT3_STARTER + " alone, which is for Spring Boot 3.5.";
			if (isPresent.test(OF_BOOT4)) {
				throw new SetupException(
						"There are jars of Spring Boot 4, as " + STARTER + " brings them," + application,
						"Remove " + STARTER + ". " + use, null);
			}
			if (!boot3Module) {
				throw new SetupException("There is no " + BOOT3_STARTER + application, use, null);
			}
		}
		else if (boot3Module) {
			throw new SetupException("There is " + BOOT3_STARTER + application,
					"Remove it, and depend on " + STARTER + " alone, which is for Spring Boot 4.", null);
		}
	}

}
