package io.github.delayqueue.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.github.delayqueue.observation.DelayQueueObservation.HighCardinality;
import io.github.delayqueue.observation.DelayQueueObservation.LowCardinality;

/**
 * Names calls that schedule as the OpenTelemetry conventions for messaging do. For users
 * who want to change a part of it.
 */
public class DefaultScheduleObservationConvention implements ScheduleObservationConvention {

	private static final KeyValues COMMON = KeyValues.of(LowCardinality.SYSTEM.withValue(DelayQueueObservation.SYSTEM),
			LowCardinality.OPERATION_NAME.withValue("schedule"), LowCardinality.OPERATION_TYPE.withValue("send"));

	@Override
	public String getName() {
		return "delay.queue.publish";
	}

	@Override
	public String getContextualName(ScheduleObservationContext context) {
		return (context.getQueue() != null) ? "schedule " + context.getQueue() : "schedule";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ScheduleObservationContext context) {
		String queue = context.getQueue();
		return COMMON.and(LowCardinality.DESTINATION.withValue((queue != null) ? queue : KeyValue.NONE_VALUE));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ScheduleObservationContext context) {
		return task(context).and(HighCardinality.errorType(context));
	}

	private static KeyValues task(ScheduleObservationContext context) {
		String taskId = context.getTaskId();
		if (taskId != null) {
			return KeyValues.of(HighCardinality.TASK_ID.withValue(taskId));
		}
		return (context.getTasks() != 1)
				? KeyValues.of(HighCardinality.BATCH_SIZE.withValue(Integer.toString(context.getTasks())))
				: KeyValues.empty();
	}

}
