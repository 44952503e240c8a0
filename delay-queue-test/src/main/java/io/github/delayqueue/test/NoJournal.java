package io.github.delayqueue.test;

import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.options.QueueOptions;

/**
 * Leaves the journal out of tests with the kit, whatever the properties say and wherever
 * settings come from: its auto-configuration, and what the settings say of it. Queues
 * that have one schedule after the commit instead, so that what a transaction scheduled
 * that was rolled back is not there either.
 */
final class NoJournal implements AutoConfigurationImportFilter, EnvironmentAware, BeanPostProcessor {

	private static final String JOURNAL = "io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration";

	private @Nullable Environment environment;

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public boolean[] match(@Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
		boolean kit = this.environment != null && KitContextCustomizer.hasCustomized(this.environment);
		boolean[] match = new boolean[autoConfigurationClasses.length];
		for (int i = 0; i < match.length; i++) {
			match[i] = !kit || !JOURNAL.equals(autoConfigurationClasses[i]);
		}
		return match;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DelayQueueSettings settings && settings.hasJournal()) ? withoutJournal(settings) : bean;
	}

	private static DelayQueueSettings withoutJournal(DelayQueueSettings settings) {
		Map<String, QueueOptions> queues = settings.queues()
			.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (queue) -> withoutJournal(queue.getValue())));
		return new DelayQueueSettings(settings.application(), withoutJournal(settings.general()), queues);
	}

	private static QueueOptions withoutJournal(QueueOptions queue) {
		return queue.journal() ? queue.toBuilder().journal(false).afterCommit(true).build() : queue;
	}

}
