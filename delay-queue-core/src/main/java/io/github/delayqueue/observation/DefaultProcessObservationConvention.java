package io.github.delayqueue.observation;

import java.util.Locale;
import java.util.Set;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.observation.DelayQueueObservation.HighCardinality;
import io.github.delayqueue.observation.DelayQueueObservation.LowCardinality;
import io.github.delayqueue.observation.DelayQueueObservation.ProcessHighCardinality;
import io.github.delayqueue.observation.DelayQueueObservation.ProcessLowCardinality;

/**
 * Names calls of handlers as the OpenTelemetry conventions for messaging do. For users
 * who want to change a part of it.
 */
public class DefaultProcessObservationConvention implements ProcessObservationConvention {

	private static final KeyValues COMMON = KeyValues.of(LowCardinality.SYSTEM.withValue(DelayQueueObservation.SYSTEM),
			LowCardinality.OPERATION_NAME.withValue("process"), LowCardinality.OPERATION_TYPE.withValue("process"));

	@Override
	public String getName() {
		return "delay.queue.consume";
	}

	@Override
	public String getContextualName(ProcessObservationContext context) {
		return "process " + context.getQueue();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ProcessObservationContext context) {
		return COMMON.and(LowCardinality.DESTINATION.withValue(context.getQueue()),
				ProcessLowCardinality.OUTCOME.withValue(outcome(context)));
	}

	private static String outcome(ProcessObservationContext context) {
		if (!context.isEnded()) {
			return KeyValue.NONE_VALUE;
		}
		Set<DeliveryOutcome> outcomes = context.getOutcomes();
		return switch (outcomes.size()) {
			case 0 -> "released";
			case 1 -> outcomes.iterator().next().name().toLowerCase(Locale.ROOT);
			default -> "mixed";
		};
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ProcessObservationContext context) {
		return task(context).and(HighCardinality.errorType(context));
	}

	private static KeyValues task(ProcessObservationContext context) {
		if (!context.isSingle()) {
			return KeyValues.of(HighCardinality.BATCH_SIZE.withValue(Integer.toString(context.getTasks().size())));
		}
		DelayedTask<?> task = context.getTasks().get(0);
		return KeyValues.of(HighCardinality.TASK_ID.withValue(task.id()),
				ProcessHighCardinality.ATTEMPT.withValue(Integer.toString(task.attempt())),
				ProcessHighCardinality.LEASES_LOST.withValue(Integer.toString(task.leasesLost())),
				ProcessHighCardinality.DUE_AT.withValue(task.dueAt().toString()));
	}

}
