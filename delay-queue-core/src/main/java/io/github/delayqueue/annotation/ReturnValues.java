package io.github.delayqueue.annotation;

import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.TaskResult;

/**
 * The kinds of values that a method may return, or complete a stage with.
 */
enum ReturnValues {

	/** Nothing: done unless it throws. */
	NONE {

		@Override
		List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method) {
			return Collections.nCopies(size, TaskResult.done());
		}

	},

	/** Whether it is done, otherwise to be retried. */
	FLAG {

		@Override
		List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method) {
			if (value instanceof Boolean done) {
				return Collections.nCopies(size, done ? TaskResult.done() : TaskResult.retry());
			}
			return misused(method, "returned null", size);
		}

	},

	/** A result, in a batch for all. */
	RESULT {

		@Override
		List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method) {
			if (value instanceof TaskResult result) {
				return Collections.nCopies(size, result);
			}
			return misused(method, "returned null", size);
		}

	},

	/** A result for each task of a batch. */
	RESULTS {

		@Override
		List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method) {
			if (!(value instanceof List<?> list)) {
				return misused(method, "returned null", size);
			}
			if (list.size() != size) {
				return misused(method, "returned " + list.size() + " results for " + size + " tasks", size);
			}
			return list.stream()
				.map((element) -> (element instanceof TaskResult result) ? result
						: misused(method, "returned null among its results", 1).get(0))
				.toList();
		}

	};

	private static final String UNIT = "kotlin.Unit";

	/**
	 * Map a value.
	 * @param size how many tasks the method was called with
	 * @return a result for each task
	 */
	abstract List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method);

	/**
	 * Find the kind of a type.
	 * @param batch whether the method handles batches
	 * @return the kind, {@code null} if it is none of them
	 */
	static @Nullable ReturnValues of(ResolvableType type, boolean batch) {
		Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.toClass());
		if (raw == void.class || raw == Void.class || raw.getName().equals(UNIT)) {
			return NONE;
		}
		if (raw == Boolean.class) {
			return FLAG;
		}
		if (TaskResult.class.isAssignableFrom(raw)) {
			return RESULT;
		}
		boolean results = batch && List.class.isAssignableFrom(raw)
				&& TaskResult.class.isAssignableFrom(type.as(List.class).getGeneric().toClass());
		return results ? RESULTS : null;
	}

	/**
	 * All tasks failed because the method does not keep to its contract.
	 * @param problem what it did, to follow its name
	 * @param size how many tasks it was called with
	 * @return a failure for each
	 */
	static List<TaskResult> misused(ListenerMethod method, String problem, int size) {
		return Collections.nCopies(size,
				TaskResult.failed(new DelayQueueException(null, null, "@DelayQueueListener method " + method.describe()
						+ " " + problem + ": it has to say what became of each task")));
	}

}
