package io.github.delayqueue.config;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournalLoader;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.store.TaskStore;

/**
 * Declares the store that keeps tasks in a table, once there is a {@link Journal}. Comes
 * after {@link DelayQueueConfiguration}; applications may leave the module out.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = JournalConfiguration.STORE)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
public class JournalConfiguration {

	static final String STORE = "io.github.delayqueue.journal.JournaledTaskStore";

	/** Before the store that makes queues of partitions; is what others are given. */
	@Bean
	@Primary
	@ConditionalOnBean({ Journal.class, TaskStore.class })
	@ConditionalOnMissingBean
	JournaledTaskStore delayQueueJournaledTaskStore(TaskStore store, Journal journal,
			ObjectProvider<DelayQueueSettings> settings) {
		return new JournaledTaskStore(store, journal,
				settings.getIfAvailable(DelayQueueSettings::defaults).keyPrefix());
	}

	@Bean
	@ConditionalOnBean(JournaledTaskStore.class)
	@ConditionalOnMissingBean
	JournalLoader delayQueueJournalLoader(JournaledTaskStore store, TaskEvents events) {
		return new JournalLoader(store, events);
	}

}
