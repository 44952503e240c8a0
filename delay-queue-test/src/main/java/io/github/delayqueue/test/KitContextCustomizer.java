package io.github.delayqueue.test;

import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Keeps away from a test what works on data that are not the test's own: migrations,
 * which take tasks out of a Redis, and the journal, whose table and thread go by a clock
 * that nobody turns.
 */
final class KitContextCustomizer implements ContextCustomizer {

	private static final String PROPERTY_SOURCE = "delay-queue-test";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource(PROPERTY_SOURCE, Map.of("delay-queue.migration.enabled", false)));
		context.addBeanFactoryPostProcessor(new KitBeanFactoryPostProcessor());
	}

	/**
	 * Whether an environment is that of a test with the kit.
	 * @param environment the environment
	 * @return whether a context with it was customized
	 */
	static boolean hasCustomized(Environment environment) {
		return environment instanceof ConfigurableEnvironment configurable
				&& configurable.getPropertySources().contains(PROPERTY_SOURCE);
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof KitContextCustomizer;
	}

	@Override
	public int hashCode() {
		return KitContextCustomizer.class.hashCode();
	}

}
