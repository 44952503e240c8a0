package io.github.delayqueue.autoconfigure;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the properties say that any queue has a journal. */
class OnJournalCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Binder binder = Binder.get(context.getEnvironment());
		boolean journal = binder.bind("delay-queue.journal.enabled", Boolean.class).orElse(false)
				|| binder.bind("delay-queue.queues", Bindable.mapOf(String.class, JournalSetting.class))
					.orElse(Map.of())
					.values()
					.stream()
					.anyMatch((queue) -> Boolean.TRUE.equals(queue.journal().enabled()));
		return new ConditionOutcome(journal,
				ConditionMessage.forCondition("Journal").because(journal ? "a queue has one" : "no queue has one"));
	}

	/** Of the properties of a queue, the one that matters here. */
	record JournalSetting(@DefaultValue DelayQueueProperties.Queue.Journal journal) {

	}

}
