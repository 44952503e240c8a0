package io.github.delayqueue.test;

import java.time.Clock;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.migration.MigrationRunner;

/**
 * Looks at what else is in the context of a test: refuses what would work on data that
 * are not the test's own, although nobody has auto-configured it, and lets no other clock
 * be the primary one.
 */
final class KitBeanFactoryPostProcessor implements BeanFactoryPostProcessor {

	/** Of a module that applications without a migration do not have. */
	private static final String MIGRATION = "io.github.delayqueue.migration.MigrationRunner";

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (ClassUtils.isPresent(MIGRATION, null)) {
			refuse(beanFactory, MigrationRunner.class,
					"would take tasks out of the Redis that the application is set to, and schedule them in this test");
		}
		refuse(beanFactory, Journal.class,
				"has a table and a thread that go by another clock than the one that this test turns");
		beanFactory.addBeanPostProcessor(new NoJournalBeanPostProcessor());
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
