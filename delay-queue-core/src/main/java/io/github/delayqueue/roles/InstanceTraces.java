package io.github.delayqueue.roles;

import java.util.List;
import java.util.Optional;

import io.github.delayqueue.store.TaskStore;

/**
 * The role of a {@link TaskStore} by which instances know of each other: each leaves a
 * trace of itself. Thread-safe.
 */
public interface InstanceTraces {

	/** Those of a store, which keeps none if it has not this role. */
	static InstanceTraces of(TaskStore store) {
		InstanceTraces traces = store.role(InstanceTraces.class);
		return (traces != null) ? traces : new InstanceTraces() {
		};
	}

	/**
	 * Leave the trace of an instance, in place of the one that it left before. Traces are
	 * kept for {@link Attendance#KEPT} by the store's clock, the latest
	 * {@link Attendance#MAX} at most. A store that keeps none does nothing.
	 * @param instance its id, which no other instance has
	 * @param trace what it says of itself
	 */
	default void attend(String instance, String trace) {
	}

	/**
	 * The traces of instances that are kept: many, and large ones, if many instances
	 * consume many queues.
	 * @return the traces, in no order; empty if this store keeps none
	 */
	default Optional<List<Attendance>> attendance() {
		return attendance("");
	}

	/**
	 * The traces of a few of them.
	 * @param idPrefix what the ids of the instances begin with: letters, digits and
	 * hyphens
	 * @return the traces, in no order; empty if this store keeps none
	 */
	default Optional<List<Attendance>> attendance(String idPrefix) {
		return Optional.empty();
	}

}
