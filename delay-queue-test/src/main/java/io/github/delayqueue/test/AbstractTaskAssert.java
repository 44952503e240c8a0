package io.github.delayqueue.test;

import java.util.Objects;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;

/**
 * What assertions about a task have in common, wherever it is.
 *
 * @param <S> the class of the assertions
 * @param <A> what is known of the task
 */
public abstract class AbstractTaskAssert<S extends AbstractTaskAssert<S, A>, A> extends AbstractAssert<S, A> {

	private final DelayQueueAssert queue;

	AbstractTaskAssert(A actual, Class<S> type, DelayQueueAssert queue) {
		super(actual, type);
		this.queue = queue;
	}

	/**
	 * Go on with assertions about the queue.
	 * @return those that these were begun from
	 */
	public DelayQueueAssert and() {
		return this.queue;
	}

	abstract String taskId();

	/** As JSON, {@code null} if there is none. */
	abstract @Nullable String payloadJson();

	/**
	 * It has a payload: one that has the same JSON.
	 * @param payload the payload
	 * @return this
	 */
	public S withPayload(@Nullable Object payload) {
		PayloadJson json = this.queue.queue().access().json();
		String expected = json.write(payload);
		if (!json.isSame(expected, payloadJson())) {
			throw error("with payload " + expected + ", but it is " + payloadJson());
		}
		return this.myself;
	}

	void require(String what, @Nullable Object expected, @Nullable Object found) {
		if (!Objects.equals(expected, found)) {
			throw error("with " + what + " " + expected + ", but it is " + found);
		}
	}

	AssertionError error(String expectation) {
		return this.queue.error("to have task '" + Names.printable(taskId()) + "' " + expectation);
	}

}
