package io.github.delayqueue.observation;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.event.ObservedScope;

/**
 * A call of a handler, as an observation.
 *
 * @param context its context
 * @param observation the observation
 */
record ProcessObservation(ProcessObservationContext context,
		GuardedObservation observation) implements ObservedDelivery {

	@Override
	public ObservedScope open() {
		return this.observation.open();
	}

	@Override
	public void end(Set<DeliveryOutcome> outcomes, @Nullable Throwable error) {
		this.context.end(outcomes);
		this.observation.stop(error);
	}

}
