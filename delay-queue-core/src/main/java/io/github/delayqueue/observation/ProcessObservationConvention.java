package io.github.delayqueue.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of the observation of calls of handlers. For extension: a bean of this
 * type takes the place of {@link DefaultProcessObservationConvention}. Must be
 * thread-safe; what it throws is logged, and the call goes on.
 */
public interface ProcessObservationConvention extends ObservationConvention<ProcessObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ProcessObservationContext;
	}

}
