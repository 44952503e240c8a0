package io.github.delayqueue.annotation;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.TaskResult;

/** From what a method returns to results of tasks, decided at start-up. */
record ResultMapping(ReturnValues values, @Nullable Function<Object, CompletionStage<?>> stages,
		ListenerMethod method) {

	/** Find the mapping of a method, and refuse a return type that means nothing here. */
	static ResultMapping of(ListenerMethod method, boolean batch) {
		ResolvableType declared = method.isSuspending() ? method.suspendedType()
				: ResolvableType.forMethodReturnType(method.method(), method.beanType());
		Class<?> type = declared.toClass();
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		Function<Object, CompletionStage<?>> stages = null;
		ReturnValues values = ReturnValues.of(declared, batch);
		if (method.isSuspending()) {
			stages = ReactiveResults::first;
		}
		else if (CompletionStage.class.isAssignableFrom(type)) {
			stages = CompletionStage.class::cast;
			values = ReturnValues.of(declared.as(CompletionStage.class).getGeneric(), batch);
		}
		else if (adapter != null) {
			values = ReturnValues.of(adapter.isNoValue() ? ResolvableType.forClass(Void.class)
					: declared.as(adapter.getReactiveType()).getGeneric(), batch);
			if (adapter.isMultiValue() && values != ReturnValues.NONE) {
				// of many values, only those that are a result each say what became of
				// the tasks
				values = (batch && values == ReturnValues.RESULT) ? ReturnValues.RESULTS : null;
				stages = (returned) -> ReactiveResults.all(adapter.toPublisher(returned));
			}
			else {
				stages = (returned) -> ReactiveResults.first(adapter.toPublisher(returned));
			}
		}
		else if (isAsync(method)) {
			throw method.invalid("is @Async and would count as done before it has run",
					"Return CompletableFuture<Void>, or remove @Async: listeners run on threads of their own.");
		}
		if (values == null) {
			String supported = "void, boolean or TaskResult" + (batch ? ", List<TaskResult>" : "");
			throw method.invalid("returns " + declared + ", which does not say how its task ended", "Return "
					+ supported + ", or a CompletionStage or Mono of that (CompletableFuture<Void>, Mono<Void>).");
		}
		return new ResultMapping(values, stages, method);
	}

	private static boolean isAsync(ListenerMethod method) {
		return AnnotatedElementUtils.hasAnnotation(method.method(), Async.class)
				|| AnnotatedElementUtils.hasAnnotation(method.beanType(), Async.class);
	}

	/** Completes with a result for each task, never exceptionally. */
	CompletionStage<List<TaskResult>> map(@Nullable Object returned, int size) {
		if (this.stages == null) {
			return CompletableFuture.completedFuture(this.values.map(returned, size, this.method));
		}
		if (returned == null) {
			return CompletableFuture.completedFuture(ReturnValues.misused(this.method, "returned null", size));
		}
		return this.stages.apply(returned)
			.handle((value, thrown) -> (thrown != null) ? failed(thrown, size)
					: this.values.map(value, size, this.method));
	}

	private static List<TaskResult> failed(Throwable thrown, int size) {
		Throwable cause = thrown;
		while (cause instanceof CompletionException && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return Collections.nCopies(size, TaskResult.failed(cause));
	}

	/** The kinds of values that a method may return, or complete a stage with. */
	enum ReturnValues {

		/** Nothing: done unless it throws. */
		NONE,

		/** Whether it is done, otherwise to be retried. */
		FLAG,

		/** A result, in a batch for all. */
		RESULT,

		/** A result for each task of a batch. */
		RESULTS;

		/** The kind of a type, {@code null} if it is none of them. */
		static @Nullable ReturnValues of(ResolvableType type, boolean batch) {
			Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.toClass());
			if (raw == void.class || raw == Void.class || raw.getName().equals("kotlin.Unit")) {
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

		/** A result for each task that the method was called with. */
		List<TaskResult> map(@Nullable Object value, int size, ListenerMethod method) {
			if (this == NONE) {
				return Collections.nCopies(size, TaskResult.done());
			}
			if (this == FLAG && value instanceof Boolean done) {
				return Collections.nCopies(size, done ? TaskResult.done() : TaskResult.retry());
			}
			if (this == RESULT && value instanceof TaskResult result) {
				return Collections.nCopies(size, result);
			}
			if (this != RESULTS || !(value instanceof List<?> list)) {
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

		/** All tasks failed because the method does not keep to its contract. */
		static List<TaskResult> misused(ListenerMethod method, String problem, int size) {
			return Collections.nCopies(size,
					TaskResult.failed(new DelayQueueException(null, null, "@DelayQueueListener method "
							+ method.describe() + " " + problem + ": it must return a result for each task")));
		}

	}

	/** Apart, because not every application has Reactor. */
	private static final class ReactiveResults {

		/** Completes with the first value when all have come. */
		static CompletableFuture<@Nullable Object> first(Object publisher) {
			// not Mono.from, which would cancel what comes after the first value
			return Flux.<Object>from((Publisher<?>) publisher).reduce((first, next) -> first).toFuture();
		}

		static CompletableFuture<List<Object>> all(Object publisher) {
			return Flux.<Object>from((Publisher<?>) publisher).collectList().toFuture();
		}

	}

}
