package io.github.delayqueue.annotation;

import org.jspecify.annotations.Nullable;

/**
 * Where the argument for a parameter comes from, decided at start-up.
 *
 * @param <S> a delivery, or the deliveries of a batch
 */
@FunctionalInterface
interface Argument<S> {

	/**
	 * Take the argument for a call.
	 * @param source what the call is about
	 * @throws UnusableTaskException if the task cannot be given to the method
	 */
	@Nullable Object from(S source) throws UnusableTaskException;

}
