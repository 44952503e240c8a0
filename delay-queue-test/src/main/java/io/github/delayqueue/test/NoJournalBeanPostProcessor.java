package io.github.delayqueue.test;

import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.BeanPostProcessor;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.options.QueueOptions;

/**
 * Leaves the journal out of the settings, wherever they come from. Queues that have one
 * schedule after the commit instead, so that what a transaction scheduled that was rolled
 * back is not there either.
 */
final class NoJournalBeanPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DelayQueueSettings settings && settings.hasJournal()) ? withoutJournal(settings) : bean;
	}

	private static DelayQueueSettings withoutJournal(DelayQueueSettings settings) {
		Map<String, QueueOptions> queues = settings.queues()
			.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (queue) -> withoutJournal(queue.getValue())));
		return new DelayQueueSettings(settings.keyPrefix(), settings.commandTimeout(), settings.virtualThreads(),
				withoutJournal(settings.general()), queues);
	}

	private static QueueOptions withoutJournal(QueueOptions queue) {
		return queue.journal() ? queue.toBuilder().journal(false).afterCommit(true).build() : queue;
	}

}
