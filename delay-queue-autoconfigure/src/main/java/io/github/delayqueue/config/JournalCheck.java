package io.github.delayqueue.config;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.journal.JournaledTaskStore;

/**
 * Sees to it that no queue that is to have a journal goes without it in silence.
 */
class JournalCheck {

	private static final String JDBC = "org.springframework.jdbc.core.simple.JdbcClient";

	JournalCheck(DelayQueueSettings settings, @Nullable JournaledTaskStore store, @Nullable ClassLoader classLoader) {
		if (!settings.hasJournal() || store != null) {
			return;
		}
		if (!ClassUtils.isPresent(JDBC, classLoader)) {
			throw new JournalRequirementException(settings, "spring-jdbc is not on the class path",
					"Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa to the dependencies, and the driver "
							+ "of a database.");
		}
		throw new JournalRequirementException(settings, "there is no bean of type Journal",
				"With Spring Boot, do not exclude DelayQueueJournalAutoConfiguration. Otherwise declare a bean: "
						+ "Journal.builder(dataSource, transactionManager).queues(settings::journal).build().");
	}

}
