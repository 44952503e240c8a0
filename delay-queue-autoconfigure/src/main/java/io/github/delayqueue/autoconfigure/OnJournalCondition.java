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
		ConditionMessage.Builder message = ConditionMessage.forCondition("Journal");
		if (binder.bind("delay-queue.journal.enabled", Boolean.class).orElse(false)) {
			return ConditionOutcome.match(message.because("delay-queue.journal.enabled is set"));
		}
		Map<String, JournalSetting> queues = binder
			.bind("delay-queue.queues", Bindable.mapOf(String.class, JournalSetting.class))
			.orElse(Map.of());
		return queues.entrySet()
			.stream()
			.filter((queue) -> Boolean.TRUE.equals(queue.getValue().journal().enabled()))
			.findFirst()
			.map((queue) -> ConditionOutcome.match(message.because("queue '" + queue.getKey() + "' has one")))
			.orElseGet(() -> ConditionOutcome.noMatch(message.because("no queue has one")));
	}

	/** Of the properties of a queue, the one that matters here. */
	record JournalSetting(@DefaultValue DelayQueueProperties.Queue.Journal journal) {

	}

}
