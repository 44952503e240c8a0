package io.github.delayqueue.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations and their keys, named as the OpenTelemetry conventions for messaging
 * name them where they have a name. For users who write a convention of their own.
 */
public enum DelayQueueObservation implements ObservationDocumentation {

	/** A call that schedules tasks. */
	SCHEDULE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultScheduleObservationConvention.class;
		}

	},

	/** A call of a handler. */
	PROCESS {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultProcessObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return KeyName.merge(super.getLowCardinalityKeyNames(), ProcessLowCardinality.values());
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return KeyName.merge(super.getHighCardinalityKeyNames(), ProcessHighCardinality.values());
		}

	};

	/** The name of the system, as in the conventions for messaging. */
	static final String SYSTEM = "delay_queue";

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinality.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return HighCardinality.values();
	}

	/**
	 * Keys that also become tags of meters.
	 */
	public enum LowCardinality implements KeyName {

		/** {@code delay_queue}. */
		SYSTEM("messaging.system"),

		/** The queue, {@code none} if one call schedules to several. */
		DESTINATION("messaging.destination.name"),

		/** {@code schedule} or {@code process}. */
		OPERATION_NAME("messaging.operation.name"),

		/** {@code send} or {@code process}. */
		OPERATION_TYPE("messaging.operation.type");

		private final String key;

		LowCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Further keys of handler calls that also become tags of meters.
	 */
	public enum ProcessLowCardinality implements KeyName {

		/**
		 * {@code success}, {@code retry}, {@code dead} or {@code failed};
		 * {@code released} if the tasks were handed back, {@code mixed} if those of a
		 * batch differ, {@code none} while the handler runs.
		 */
		OUTCOME;

		@Override
		public String asString() {
			return "delay_queue.outcome";
		}

	}

	/**
	 * Keys of spans only.
	 */
	public enum HighCardinality implements KeyName {

		/** Id of the task, where there is a single one. */
		TASK_ID("messaging.message.id"),

		/** Number of tasks, where there may be several. */
		BATCH_SIZE("messaging.batch.message_count"),

		/** Class of the exception, where the call has failed with one. */
		ERROR_TYPE("error.type");

		private final String key;

		HighCardinality(String key) {
			this.key = key;
		}

		static KeyValues errorType(Observation.Context context) {
			Throwable error = context.getError();
			return (error != null) ? KeyValues.of(ERROR_TYPE.withValue(error.getClass().getName())) : KeyValues.empty();
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Further keys of spans of handler calls, where there is a single task.
	 */
	public enum ProcessHighCardinality implements KeyName {

		/** Number of the attempt, starting at 1. */
		ATTEMPT("delay_queue.task.attempt"),

		/** How many leases the task has lost before. */
		LEASES_LOST("delay_queue.task.leases_lost"),

		/** When this delivery was due, in ISO 8601. */
		DUE_AT("delay_queue.task.due_at");

		private final String key;

		ProcessHighCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
