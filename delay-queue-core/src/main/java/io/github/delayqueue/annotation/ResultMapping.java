package io.github.delayqueue.annotation;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.listener.TaskResult;

/**
 * From what a method returns to results of tasks, decided at start-up.
 *
 * @param values maps the value, or what its stage completes with
 * @param stages makes a stage of what the method returns; {@code null} if that is the
 * value
 * @param method the method, for messages
 */
record ResultMapping(ReturnValues values, @Nullable Function<Object, CompletionStage<?>> stages,
		ListenerMethod method) {

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	/**
	 * Find the mapping of a method.
	 * @param batch whether it handles batches
	 * @throws io.github.delayqueue.listener.InvalidListenerException if its return type
	 * means nothing here
	 */
	static ResultMapping of(ListenerMethod method, boolean batch) {
		if (method.isSuspending()) {
			ResolvableType value = method.suspendedType();
			return new ResultMapping(require(ReturnValues.of(value, batch), method, value, batch),
					ReactiveResults::first, method);
		}
		ResolvableType declared = ResolvableType.forMethodReturnType(method.method(), method.beanType());
		Class<?> type = declared.toClass();
		if (CompletionStage.class.isAssignableFrom(type)) {
			ResolvableType value = declared.as(CompletionStage.class).getGeneric();
			return new ResultMapping(require(ReturnValues.of(value, batch), method, declared, batch),
					CompletionStage.class::cast, method);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			return reactive(method, declared, adapter, batch);
		}
		if (isReactive(type)) {
			throw method.invalid("returns " + declared + ", but nobody would subscribe to it",
					"Add Reactor (io.projectreactor:reactor-core), or return a CompletableFuture.");
		}
		if (isAsync(method)) {
			throw method.invalid("is @Async and would count as done before it has run",
					"Return CompletableFuture<Void>, or remove @Async: listeners run on threads of their own.");
		}
		return new ResultMapping(require(ReturnValues.of(declared, batch), method, declared, batch), null, method);
	}

	/** Of many values, only those that are a result each say what became of the tasks. */
	private static ResultMapping reactive(ListenerMethod method, ResolvableType declared, ReactiveAdapter adapter,
			boolean batch) {
		ResolvableType value = adapter.isNoValue() ? ResolvableType.forClass(Void.class)
				: declared.as(adapter.getReactiveType()).getGeneric();
		ReturnValues values = ReturnValues.of(value, batch);
		if (!adapter.isMultiValue() || values == ReturnValues.NONE) {
			return new ResultMapping(require(values, method, declared, batch),
					(returned) -> ReactiveResults.first(adapter.toPublisher(returned)), method);
		}
		return new ResultMapping(require((batch && values == ReturnValues.RESULT) ? ReturnValues.RESULTS : null, method,
				declared, batch), (returned) -> ReactiveResults.all(adapter.toPublisher(returned)), method);
	}

	private static ReturnValues require(@Nullable ReturnValues values, ListenerMethod method, ResolvableType declared,
			boolean batch) {
		if (values == null) {
			String supported = "void, boolean or TaskResult" + (batch ? ", List<TaskResult>" : "");
			throw method.invalid("returns " + declared + ", which says nothing of what became of its task", "Return "
					+ supported + ", or a CompletionStage or Mono of that (CompletableFuture<Void>, Mono<Void>).");
		}
		return values;
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
	 * @param returned the value, stage or publisher
	 * @param size how many tasks it was called with
	 * @return completes with a result for each, never exceptionally
	 */
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

}
