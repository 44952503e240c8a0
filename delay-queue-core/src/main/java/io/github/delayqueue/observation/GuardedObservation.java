package io.github.delayqueue.observation;

import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.event.ObservedScope;

/** An observation whose handlers may throw: tasks do not depend on them. */
record GuardedObservation(Observation observation, ObservationRegistry registry) {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObservation.class);

	private static final ObservedScope NO_SCOPE = () -> {
	};

	static GuardedObservation start(Supplier<Observation> observation, ObservationRegistry registry) {
		try {
			return new GuardedObservation(observation.get().start(), registry);
		}
		catch (RuntimeException | Error ex) {
			warn("started", ex);
			return new GuardedObservation(Observation.NOOP, registry);
		}
	}

	ObservedScope open() {
		if (this.observation.isNoop()) {
			return NO_SCOPE;
		}
		Observation.Scope before = this.registry.getCurrentObservationScope();
		try {
			Observation.Scope scope = this.observation.openScope();
			return () -> close(scope, before);
		}
		catch (RuntimeException | Error ex) {
			warn("made the current one", ex);
			Observation.Scope scope = this.registry.getCurrentObservationScope();
			if (scope != null && scope != before) {
				// handlers called before the one that failed have opened theirs
				close(scope, before);
			}
			return NO_SCOPE;
		}
	}

	/** The thread must not keep it, whatever handlers do: it will run other tasks. */
	private void close(Observation.Scope scope, Observation.@Nullable Scope before) {
		try {
			scope.close();
		}
		catch (RuntimeException | Error ex) {
			warn("taken off the thread", ex);
			this.registry.setCurrentObservationScope(before);
		}
	}

	void stop(@Nullable Throwable error) {
		try {
			if (error != null) {
				this.observation.error(error);
			}
			this.observation.stop();
		}
		catch (RuntimeException | Error ex) {
			warn("stopped", ex);
		}
	}

	private static void warn(String what, Throwable error) {
		logger.warn("An observation could not be {}; the task is not affected", what, error);
	}

}
