package io.github.delayqueue.annotation;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.listener.TaskResult;

/**
 * From what a method returns to results of tasks, decided at start-up.
 *
 * @param values maps the value, or what its stage completes with
 * @param asynchronous whether the method returns a stage
 * @param method the method, for messages
 */
record ResultMapping(ReturnValues values, boolean asynchronous, ListenerMethod method) {

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	/**
	 * Find the mapping of a method.
	 * @param method the method
	 * @param batch whether it handles batches
	 * @return the mapping
	 * @throws io.github.delayqueue.listener.InvalidListenerException if its return type
	 * means nothing here
	 */
	static ResultMapping of(ListenerMethod method, boolean batch) {
		ResolvableType declared = ResolvableType.forMethodReturnType(method.method(), method.beanType());
		Class<?> type = declared.toClass();
		if (isReactive(type)) {
			throw method.invalid("returns " + declared + ", but nobody would subscribe to it",
					"Return mono.toFuture() as CompletableFuture<Void>, or block.");
		}
		boolean asynchronous = CompletionStage.class.isAssignableFrom(type);
		if (!asynchronous && isAsync(method)) {
			throw method.invalid("is @Async and would count as done before it has run",
					"Return CompletableFuture<Void>, or remove @Async: listeners run on threads of their own.");
		}
		ResolvableType value = asynchronous ? declared.as(CompletionStage.class).getGeneric() : declared;
		ReturnValues values = ReturnValues.of(value, batch);
		if (values == null) {
			String supported = "void, boolean or TaskResult" + (batch ? ", List<TaskResult>" : "");
			throw method.invalid("returns " + declared + ", which says nothing of what became of its task",
					"Return " + supported + ", or a CompletionStage of that (CompletableFuture<Void>).");
		}
		return new ResultMapping(values, asynchronous, method);
	}

	private static boolean isReactive(Class<?> type) {
		Set<String> names = ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.map(Class::getName)
			.collect(Collectors.toSet());
		return names.contains(PUBLISHER);
	}

	private static boolean isAsync(ListenerMethod method) {
		return AnnotatedElementUtils.hasAnnotation(method.method(), Async.class)
				|| AnnotatedElementUtils.hasAnnotation(method.beanType(), Async.class);
	}

	/**
	 * Map what the method returned.
	 * @param returned the value or stage
	 * @param size how many tasks it was called with
	 * @return completes with a result for each, never exceptionally
	 */
	CompletionStage<List<TaskResult>> map(@Nullable Object returned, int size) {
		if (!this.asynchronous) {
			return CompletableFuture.completedFuture(this.values.map(returned, size, this.method));
		}
		if (returned instanceof CompletionStage<?> stage) {
			return stage.handle((value, thrown) -> (thrown != null) ? failed(thrown, size)
					: this.values.map(value, size, this.method));
		}
		return CompletableFuture.completedFuture(ReturnValues.misused(this.method, "returned null", size));
	}

	private static List<TaskResult> failed(Throwable thrown, int size) {
		Throwable cause = thrown;
		while (cause instanceof CompletionException && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return Collections.nCopies(size, TaskResult.failed(cause));
	}

}
