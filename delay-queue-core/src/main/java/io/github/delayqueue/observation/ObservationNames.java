package io.github.delayqueue.observation;

import java.util.Locale;
import java.util.Set;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.event.DeliveryOutcome;

/**
 * Names and keys of observations, as the OpenTelemetry conventions for messaging name
 * them where they have a name. Keys of low cardinality also become tags of meters.
 */
final class ObservationNames {

	static final ObservationConvention<ScheduleObservationContext> SCHEDULE = new Schedule();

	static final ObservationConvention<ProcessObservationContext> PROCESS = new Process();

	private ObservationNames() {
	}

	private static KeyValues common(String operation, String type, @Nullable String queue) {
		return KeyValues.of("messaging.system", ProcessObservationContext.SYSTEM, "messaging.operation.name", operation,
				"messaging.operation.type", type, "messaging.destination.name",
				(queue != null) ? queue : KeyValue.NONE_VALUE);
	}

	private static KeyValues taskId(String id) {
		return KeyValues.of("messaging.message.id", id);
	}

	private static KeyValues batchSize(int tasks) {
		return KeyValues.of("messaging.batch.message_count", Integer.toString(tasks));
	}

	private static KeyValues withError(KeyValues values, Observation.Context context) {
		Throwable error = context.getError();
		return (error != null) ? values.and("error.type", error.getClass().getName()) : values;
	}

	private static final class Schedule implements ObservationConvention<ScheduleObservationContext> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof ScheduleObservationContext;
		}

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
			return common("schedule", "send", context.getQueue());
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(ScheduleObservationContext context) {
			String taskId = context.getTaskId();
			return withError((taskId != null) ? taskId(taskId)
					: (context.getTasks() != 1) ? batchSize(context.getTasks()) : KeyValues.empty(), context);
		}

	}

	private static final class Process implements ObservationConvention<ProcessObservationContext> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof ProcessObservationContext;
		}

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
			return common("process", "process", context.getQueue()).and("delay_queue.outcome", outcome(context));
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
			return withError(
					context.isSingle() ? task(context.getTasks().get(0)) : batchSize(context.getTasks().size()),
					context);
		}

		private static KeyValues task(DelayedTask<?> task) {
			return taskId(task.id()).and("delay_queue.task.attempt", Integer.toString(task.attempt()),
					"delay_queue.task.leases_lost", Integer.toString(task.leasesLost()), "delay_queue.task.due_at",
					task.dueAt().toString());
		}

	}

}
