package io.github.delayqueue.observation;

import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.event.TaskObserver;

/**
 * An observation whose handlers and conventions may throw without anybody noticing but in
 * the log: neither scheduling nor handling depends on them.
 */
final class GuardedObservation {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObservation.class);

	private static final TaskObserver.Scope NO_SCOPE = () -> {
	};

	private final Observation observation;

	private GuardedObservation(Observation observation) {
		this.observation = observation;
	}

	static GuardedObservation start(Supplier<Observation> observation) {
		try {
			return new GuardedObservation(observation.get().start());
		}
		catch (RuntimeException | Error ex) {
			warn("started", ex);
			return new GuardedObservation(Observation.NOOP);
		}
	}

	TaskObserver.Scope open() {
		if (this.observation.isNoop()) {
			return NO_SCOPE;
		}
		try {
			Observation.Scope scope = this.observation.openScope();
			return () -> close(scope);
		}
		catch (RuntimeException | Error ex) {
			warn("made the current one", ex);
			return NO_SCOPE;
		}
	}

	private static void close(Observation.Scope scope) {
		try {
			scope.close();
		}
		catch (RuntimeException | Error ex) {
			warn("taken off the thread", ex);
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
