package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.delayqueue.annotation.HeaderArguments.UnusableTaskException;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;

/**
 * Calls a method with a task, or with what is due together. Tasks that are not valid are
 * left out of the call and dead-lettered.
 */
record ListenerMethodHandler(MethodInvoker invoker, boolean batch,
		List<Function<Delivery<?>, @Nullable Object>> arguments, PayloadCheck payloadCheck,
		ResultMapping results) implements DeliveryHandler {

	@Override
	public CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception {
		List<@Nullable TaskResult> refused = refuse(deliveries.size(),
				(i) -> this.payloadCheck.objection(deliveries.get(i).task().payload()));
		return (refused != null) ? callForOthers(deliveries, refused) : callOrDeadLetter(deliveries);
	}

	/** Dead-letter those that there is a reason for; {@code null} if there are none. */
	private static @Nullable List<@Nullable TaskResult> refuse(int size, IntFunction<@Nullable String> reasons) {
		List<@Nullable TaskResult> refused = null;
		for (int i = 0; i < size; i++) {
			String reason = reasons.apply(i);
			if (reason != null) {
				refused = (refused != null) ? refused : new ArrayList<>(Collections.nCopies(size, null));
				refused.set(i, TaskResult.deadLetter(reason));
			}
		}
		return refused;
	}

	/** As each call is about fewer tasks, it ends. */
	private CompletionStage<List<TaskResult>> callOrDeadLetter(List<Delivery<?>> deliveries) throws Exception {
		try {
			return this.results.map(this.invoker.invoke(arguments(deliveries)), deliveries.size());
		}
		catch (UnusableTaskException ex) {
			return CompletableFuture.completedFuture(List.of(TaskResult.deadLetter(ex.getMessage())));
		}
		catch (Exception ex) {
			ArgumentViolations violations = ArgumentViolations.of(ex, this.results.method());
			if (violations == null || (this.batch && !violations.areOfElements())) {
				throw ex;
			}
			List<@Nullable TaskResult> refused = refuse(deliveries.size(),
					(i) -> violations.describe(this.batch ? i : null));
			if (refused == null) {
				throw ex;
			}
			return callForOthers(deliveries, refused);
		}
	}

	private @Nullable Object[] arguments(List<Delivery<?>> deliveries) {
		Assert.isTrue(this.batch || deliveries.size() == 1, "A listener without a batch size takes one task at a time");
		@Nullable Object[] values = new Object[this.arguments.size()];
		for (int i = 0; i < values.length; i++) {
			Function<Delivery<?>, @Nullable Object> argument = this.arguments.get(i);
			values[i] = this.batch ? deliveries.stream().map(argument).toList() : argument.apply(deliveries.get(0));
		}
		return values;
	}

	/** Call the method with those that are not refused. */
	private CompletionStage<List<TaskResult>> callForOthers(List<Delivery<?>> deliveries,
			List<@Nullable TaskResult> refused) {
		List<Delivery<?>> others = new ArrayList<>(deliveries.size());
		for (int i = 0; i < deliveries.size(); i++) {
			if (refused.get(i) == null) {
				others.add(deliveries.get(i));
			}
		}
		if (others.isEmpty()) {
			return CompletableFuture.completedFuture(merge(refused, List.of()));
		}
		try {
			return callOrDeadLetter(others).thenApply((results) -> merge(refused, results));
		}
		catch (Exception ex) {
			// Thrown on, it would count for those that are dead-lettered too
			return CompletableFuture
				.completedFuture(merge(refused, Collections.nCopies(others.size(), TaskResult.failed(ex))));
		}
	}

	private static List<TaskResult> merge(List<@Nullable TaskResult> refused, List<TaskResult> handled) {
		Iterator<TaskResult> results = handled.iterator();
		return refused.stream().map((result) -> (result != null) ? result : results.next()).toList();
	}

}
