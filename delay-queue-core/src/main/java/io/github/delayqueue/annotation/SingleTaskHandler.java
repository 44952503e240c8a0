package io.github.delayqueue.annotation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;

/**
 * Calls a method with one task at a time.
 *
 * @param invoker calls the method
 * @param arguments one for each parameter
 * @param payloadCheck checks the payload beforehand
 * @param results maps what it returns
 */
record SingleTaskHandler(MethodInvoker invoker, List<Argument<Delivery<?>>> arguments, PayloadCheck payloadCheck,
		ResultMapping results) implements DeliveryHandler {

	@Override
	public CompletionStage<List<TaskResult>> handle(List<Delivery<?>> deliveries) throws Exception {
		Assert.isTrue(deliveries.size() == 1, "A listener without a batch size takes one task at a time");
		@Nullable Object[] values;
		try {
			values = arguments(deliveries.get(0));
		}
		catch (UnusableTaskException ex) {
			return CompletableFuture.completedFuture(List.of(TaskResult.deadLetter(ex.getMessage())));
		}
		try {
			return this.results.map(this.invoker.invoke(values), 1);
		}
		catch (Exception ex) {
			ArgumentViolations violations = ArgumentViolations.of(ex, this.results.method());
			if (violations == null) {
				throw ex;
			}
			return CompletableFuture.completedFuture(List.of(TaskResult.deadLetter(violations.describe())));
		}
	}

	private @Nullable Object[] arguments(Delivery<?> delivery) throws UnusableTaskException {
		this.payloadCheck.check(delivery.task().payload());
		@Nullable Object[] values = new Object[this.arguments.size()];
		for (int i = 0; i < values.length; i++) {
			values[i] = this.arguments.get(i).from(delivery);
		}
		return values;
	}

}
