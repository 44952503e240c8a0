package io.github.delayqueue.store;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link TaskStore} by which instances know of each other: each leaves a
 * trace of itself, and takes orders from others. Thread-safe.
 */
public interface InstanceTraces {

	/**
	 * Leave the trace of an instance, in place of the one that it left before. Traces are
	 * kept for {@link Attendance#KEPT} by the store's clock, the latest
	 * {@link Attendance#MAX} at most. A store that keeps none does nothing.
	 * @param instance its id, which no other instance has
	 * @param trace what it says of itself
	 * @return the {@linkplain #order orders} for it that are not too old, the oldest
	 * first, those that it has been given before included
	 */
	default List<String> attend(String instance, String trace) {
		return List.of();
	}

	/**
	 * Leave an order for an instance, which gets it with its traces until
	 * {@link Attendance#ORDER_HOLDS} has passed since the latest. Those who
	 * {@linkplain TaskStore#subscribe subscribe} to a queue that it consumes are told, so
	 * that it leaves a trace soon; such a message may get lost. A store that keeps no
	 * traces does nothing.
	 * @param instance its id
	 * @param queue a queue that it consumes, {@code null} if it consumes none
	 * @param order what it is to do, in one line that no other order has
	 */
	default void order(String instance, @Nullable String queue, String order) {
	}

	/**
	 * The traces of instances that are kept.
	 * @return the traces, in no order; empty if this store keeps none
	 */
	default Optional<List<Attendance>> attendance() {
		return Optional.empty();
	}

}
