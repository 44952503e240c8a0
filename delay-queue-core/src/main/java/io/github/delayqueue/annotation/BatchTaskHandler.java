package io.github.delayqueue.annotation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;

/**
 * Calls a method with what is due together. Tasks that are not valid are left out of the
 * call and dead-lettered.
 *
 * @param invoker calls the method
 * @param elements for each parameter, what of a delivery its list consists of
 * @param payloadCheck checks each payload beforehand
 * @param results maps what it returns
 */
record BatchTaskHandler(MethodInvoker invoker, List<Function<Delivery<?>, @Nullable Object>> elements,
		PayloadCheck payloadCheck, ResultMapping results) implements DeliveryHandler {

	@Override
	public CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception {
		List<@Nullable TaskResult> deadLettered = new ArrayList<>(deliveries.size());
		List<Delivery<?>> usable = new ArrayList<>(deliveries.size());
		for (Delivery<?> delivery : deliveries) {
			TaskResult result = deadLetterUnusable(delivery);
			deadLettered.add(result);
			if (result == null) {
				usable.add(delivery);
			}
		}
		if (usable.size() == deliveries.size()) {
			return callOrDeadLetter(usable);
		}
		return callForUsable(usable).thenApply((results) -> merge(deadLettered, results));
	}

	private @Nullable TaskResult deadLetterUnusable(Delivery<?> delivery) {
		try {
			this.payloadCheck.check(delivery.task().payload());
			return null;
		}
		catch (UnusableTaskException ex) {
			return TaskResult.deadLetter(ex.getMessage());
		}
	}

	private CompletionStage<List<TaskResult>> callForUsable(List<Delivery<?>> usable) {
		if (usable.isEmpty()) {
			return CompletableFuture.completedFuture(List.of());
		}
		try {
			return callOrDeadLetter(usable);
		}
		catch (Exception ex) {
			// Thrown on, it would count for those that are dead-lettered too
			return CompletableFuture.completedFuture(Collections.nCopies(usable.size(), TaskResult.failed(ex)));
		}
	}

	/** As each call is about fewer tasks, it ends. */
	private CompletionStage<List<TaskResult>> callOrDeadLetter(List<Delivery<?>> deliveries) throws Exception {
		try {
			return call(deliveries);
		}
		catch (Exception ex) {
			ArgumentViolations violations = ArgumentViolations.of(ex, this.results.method());
			if (violations == null || !violations.areOfElements()) {
				throw ex;
			}
			List<@Nullable TaskResult> deadLettered = new ArrayList<>(deliveries.size());
			List<Delivery<?>> valid = new ArrayList<>(deliveries.size());
			for (int i = 0; i < deliveries.size(); i++) {
				String reason = violations.describe(i);
				deadLettered.add((reason != null) ? TaskResult.deadLetter(reason) : null);
				if (reason == null) {
					valid.add(deliveries.get(i));
				}
			}
			if (valid.size() == deliveries.size()) {
				throw ex;
			}
			return callForUsable(valid).thenApply((results) -> merge(deadLettered, results));
		}
	}

	private CompletionStage<List<TaskResult>> call(List<Delivery<?>> deliveries) throws Exception {
		@Nullable Object[] arguments = new Object[this.elements.size()];
		for (int i = 0; i < arguments.length; i++) {
			arguments[i] = listOf(deliveries, this.elements.get(i));
		}
		return this.results.map(this.invoker.invoke(arguments), deliveries.size());
	}

	private static List<@Nullable Object> listOf(List<Delivery<?>> deliveries,
			Function<Delivery<?>, @Nullable Object> element) {
		List<@Nullable Object> list = new ArrayList<>(deliveries.size());
		for (Delivery<?> delivery : deliveries) {
			list.add(element.apply(delivery));
		}
		return Collections.unmodifiableList(list);
	}

	private static List<TaskResult> merge(List<@Nullable TaskResult> deadLettered, List<TaskResult> handled) {
		List<TaskResult> merged = new ArrayList<>(deadLettered.size());
		Iterator<TaskResult> results = handled.iterator();
		for (TaskResult result : deadLettered) {
			merged.add((result != null) ? result : results.next());
		}
		return merged;
	}

}
