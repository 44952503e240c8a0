package io.github.delayqueue.test;

import java.util.Objects;
import java.util.function.Supplier;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;

/** Base of the assertions about a task, wherever it is. */
public abstract class AbstractTaskAssert<S extends AbstractTaskAssert<S, A>, A> extends AbstractAssert<S, A> {

	private final DelayQueueAssert queue;

	private final String taskId;

	private final Supplier<@Nullable String> payloadJson;

	AbstractTaskAssert(A actual, Class<S> type, DelayQueueAssert queue, String taskId,
			Supplier<@Nullable String> payloadJson) {
		super(actual, type);
		this.queue = queue;
		this.taskId = taskId;
		this.payloadJson = payloadJson;
	}

	/** Go on with assertions about the queue. */
	public DelayQueueAssert and() {
		return this.queue;
	}

	/** It has a payload: one that has the same JSON. */
	public S withPayload(@Nullable Object payload) {
		String expected = access().json(payload);
		String found = this.payloadJson.get();
		if (!access().isSameJson(expected, found)) {
			throw error("with payload " + expected + ", but it is " + found);
		}
		return this.myself;
	}

	TestAccess access() {
		return this.queue.queue().access();
	}

	void require(String what, @Nullable Object expected, @Nullable Object found) {
		if (!Objects.equals(expected, found)) {
			throw error("with " + what + " " + expected + ", but it is " + found);
		}
	}

	AssertionError error(String expectation) {
		return this.queue.error("to have task '" + Names.printable(this.taskId) + "' " + expectation);
	}

}
