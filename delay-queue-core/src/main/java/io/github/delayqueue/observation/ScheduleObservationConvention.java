package io.github.delayqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of the observation of calls that schedule tasks. For extension: a bean
 * of this type takes the place of {@link DefaultScheduleObservationConvention}. Must be
 * thread-safe; what it throws is logged, and the call goes on.
 */
public interface ScheduleObservationConvention extends ObservationConvention<ScheduleObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ScheduleObservationContext;
	}

}
