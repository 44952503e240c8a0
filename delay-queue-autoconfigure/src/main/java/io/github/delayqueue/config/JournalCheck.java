package io.github.delayqueue.config;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.SetupException;

/** Sees to it that no queue that is to have a journal goes without it in silence. */
class JournalCheck {

	static final String JDBC = "org.springframework.jdbc.core.simple.JdbcClient";

	private static final String NO_MODULE = "delay-queue-journal is not on the class path";

	private static final String ADD_MODULE = "Add io.github.delayqueue:delay-queue-journal to the dependencies.";

	JournalCheck(DelayQueueSettings settings, ListableBeanFactory beanFactory, @Nullable ClassLoader classLoader) {
		if (!settings.hasJournal()) {
			return;
		}
		if (!ClassUtils.isPresent(JDBC, classLoader)) {
			throw new JournalRequirementException(settings, "spring-jdbc is not on the class path",
					"Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa to the dependencies, and the driver "
							+ "of a database.");
		}
		Class<?> store = ClassUtils.resolveClassName(JournalConfiguration.STORE, classLoader);
		if (beanFactory.getBeanProvider(store).getIfAvailable() == null) {
			throw new JournalRequirementException(settings, "there is no bean of type Journal",
					"With Spring Boot, do not exclude DelayQueueJournalAutoConfiguration. Otherwise declare a bean: "
							+ "Journal.builder(dataSource, transactionManager).queues(settings::journal).build().");
		}
	}

	/** Look whether the module is there, before any of its classes is needed. */
	static void requireModule(DelayQueueSettings settings, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(JournalConfiguration.STORE, classLoader)) {
			return;
		}
		if (settings.hasJournal()) {
			throw new JournalRequirementException(settings, NO_MODULE, ADD_MODULE);
		}
		if (settings.hasAfterCommit()) {
			throw new SetupException(
					"Tasks are to be scheduled after a commit (producer.transaction=after-commit), and " + NO_MODULE,
					ADD_MODULE, null);
		}
	}

}
