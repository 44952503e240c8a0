package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.delayqueue.annotation.HeaderArguments.UnusableTaskException;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;

/**
 * Calls a method with a task, or with what is due together. Tasks that are not valid are
 * left out of the call and dead-lettered.
 *
 * @param arguments for each parameter, what of a delivery it is given; in a batch, what
 * its list consists of
 */
record ListenerMethodHandler(MethodInvoker invoker, boolean batch,
		List<Function<Delivery<?>, @Nullable Object>> arguments, PayloadCheck payloadCheck,
		ResultMapping results) implements DeliveryHandler {

	@Override
	public CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception {
		List<@Nullable TaskResult> refused = new ArrayList<>(deliveries.size());
		for (Delivery<?> delivery : deliveries) {
			refused.add(deadLetter(this.payloadCheck.objection(delivery.task().payload())));
		}
		return isEmpty(refused) ? callOrDeadLetter(deliveries) : callForOthers(deliveries, refused);
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
			List<@Nullable TaskResult> refused = IntStream.range(0, deliveries.size())
				.mapToObj((i) -> deadLetter(violations.describe(this.batch ? i : null)))
				.toList();
			if (isEmpty(refused)) {
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

	private static @Nullable TaskResult deadLetter(@Nullable String reason) {
		return (reason != null) ? TaskResult.deadLetter(reason) : null;
	}

	private static boolean isEmpty(List<@Nullable TaskResult> refused) {
		return refused.stream().allMatch(Objects::isNull);
	}

	private static List<TaskResult> merge(List<@Nullable TaskResult> refused, List<TaskResult> handled) {
		List<TaskResult> merged = new ArrayList<>(refused.size());
		Iterator<TaskResult> results = handled.iterator();
		for (TaskResult result : refused) {
			merged.add((result != null) ? result : results.next());
		}
		return merged;
	}

}
