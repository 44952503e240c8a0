package io.github.delayqueue.test;

import java.time.Clock;
import java.util.Map;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.migration.MigrationRunner;

/**
 * Keeps away from a test what works on data that are not the test's own: migrations,
 * which take tasks out of a Redis, and the journal, whose table and thread go by a clock
 * that nobody turns. Refuses them where nobody has auto-configured them, and lets no
 * other clock be the primary one. A record: all are equal, as is what they make.
 */
record KitContextCustomizer() implements ContextCustomizer {

	private static final String PROPERTY_SOURCE = "delay-queue-test";

	/** Of modules that applications may leave out. */
	private static final String MIGRATION = "io.github.delayqueue.migration.MigrationRunner";

	private static final String JOURNAL = "io.github.delayqueue.journal.Journal";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource(PROPERTY_SOURCE, Map.of("delay-queue.migration.enabled", false)));
		context.addBeanFactoryPostProcessor(KitContextCustomizer::postProcess);
	}

	/** Whether an environment is that of a test with the kit. */
	static boolean hasCustomized(Environment environment) {
		return environment instanceof ConfigurableEnvironment configurable
				&& configurable.getPropertySources().contains(PROPERTY_SOURCE);
	}

	private static void postProcess(ConfigurableListableBeanFactory beanFactory) {
		if (ClassUtils.isPresent(MIGRATION, null)) {
			refuse(beanFactory, MigrationRunner.class,
					"would take tasks out of the Redis that the application is set to, and schedule them in this test");
		}
		if (ClassUtils.isPresent(JOURNAL, null)) {
			refuse(beanFactory, Journal.class,
					"has a table and a thread that go by another clock than the one that this test turns");
		}
		beanFactory.addBeanPostProcessor(new NoJournal());
		if (beanFactory.containsBeanDefinition(DelayQueueTestAutoConfiguration.CLOCK)) {
			letNoOtherClockBePrimary(beanFactory);
		}
	}

	private static void letNoOtherClockBePrimary(ConfigurableListableBeanFactory beanFactory) {
		for (String name : beanFactory.getBeanNamesForType(Clock.class, true, false)) {
			if (!DelayQueueTestAutoConfiguration.CLOCK.equals(name) && beanFactory.containsBeanDefinition(name)) {
				beanFactory.getBeanDefinition(name).setPrimary(false);
			}
		}
	}

	private static void refuse(ConfigurableListableBeanFactory beanFactory, Class<?> type, String why) {
		for (String name : beanFactory.getBeanNamesForType(type, true, false)) {
			throw new IllegalStateException("Bean '" + name + "' of type " + type.getName() + " " + why
					+ ". Leave it out of tests with @DelayQueueTest, for example by a profile");
		}
	}

}
