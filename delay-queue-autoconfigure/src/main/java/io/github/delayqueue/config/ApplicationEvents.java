package io.github.delayqueue.config;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.context.ApplicationEventPublisher;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.JournalRestoredEvent;
import io.github.delayqueue.event.LeaseLostEvent;
import io.github.delayqueue.event.RunFailedEvent;
import io.github.delayqueue.event.StaleSettlementEvent;
import io.github.delayqueue.event.TaskDeadEvent;
import io.github.delayqueue.event.TaskEventListener;

/**
 * Publishes application events that are worth an alarm, outside of transactions, so that
 * {@code @TransactionalEventListener} does not hear of them.
 */
record ApplicationEvents(ApplicationEventPublisher publisher) implements TaskEventListener, AopInfrastructureBean {

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		if (outcome == DeliveryOutcome.DEAD) {
			this.publisher.publishEvent(new TaskDeadEvent(queue, taskId, failure));
		}
		else if (outcome == DeliveryOutcome.FAILED) {
			this.publisher.publishEvent(new RunFailedEvent(queue, taskId, failure));
		}
		else if (outcome == DeliveryOutcome.STALE) {
			this.publisher.publishEvent(new StaleSettlementEvent(queue, taskId, took));
		}
	}

	@Override
	public void onLeaseLost(String queue, String taskId, int leasesLost) {
		this.publisher.publishEvent(new LeaseLostEvent(queue, taskId, leasesLost));
	}

	@Override
	public void onOrphan(String queue, List<String> taskIds) {
		taskIds.forEach((taskId) -> this.publisher.publishEvent(new TaskDeadEvent(queue, taskId, null)));
	}

	@Override
	public void onRestore(String queue, long tasks, Duration took) {
		this.publisher.publishEvent(new JournalRestoredEvent(queue, tasks, took));
	}

}
