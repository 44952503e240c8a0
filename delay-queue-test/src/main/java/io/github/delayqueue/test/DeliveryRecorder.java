package io.github.delayqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.DeliveryHandler;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.options.QueueOptions;

/** Keeps what became of each delivery of a test, and what its handler threw. */
final class DeliveryRecorder implements TaskEventListener, AopInfrastructureBean {

	private final Clock clock;

	/** What handlers were given and the store has not been told of, by queue and id. */
	private final Map<List<String>, Handled> open = new ConcurrentHashMap<>();

	private final List<EndedDelivery> ended = new ArrayList<>();

	/** What handlers have answered that goes on elsewhere. */
	private final Set<CompletableFuture<List<TaskResult>>> unfinished = ConcurrentHashMap.newKeySet();

	/** Whether a handler was interrupted, by whomever. */
	private boolean interrupted;

	DeliveryRecorder(Clock clock) {
		this.clock = clock;
	}

	private record Handled(DelayedTask<?> task, @Nullable Throwable cause) {

	}

	/** Looks on while handlers are called. */
	ConsumerPart onlooker() {
		return new ConsumerPart() {

			@Override
			public DelayQueueListenerEndpoint around(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
				return endpoint.withHandler((deliveries) -> call(endpoint.handler(), deliveries));
			}

		};
	}

	private CompletionStage<List<TaskResult>> call(DeliveryHandler handler, List<Delivery<?>> deliveries)
			throws Exception {
		deliveries.forEach((delivery) -> note(delivery, null));
		CompletionStage<List<TaskResult>> stage;
		try {
			stage = handler.handle(deliveries);
		}
		catch (Exception | Error ex) {
			deliveries.forEach((delivery) -> note(delivery, ex));
			this.interrupted |= ex instanceof InterruptedException;
			throw ex;
		}
		finally {
			this.interrupted |= Thread.currentThread().isInterrupted();
		}
		return (stage != null) ? follow(deliveries, stage) : stage;
	}

	private CompletionStage<List<TaskResult>> follow(List<Delivery<?>> deliveries,
			CompletionStage<List<TaskResult>> stage) {
		CompletableFuture<List<TaskResult>> end = new CompletableFuture<>();
		this.unfinished.add(end);
		stage.whenComplete((results, error) -> {
			completed(deliveries, results, error);
			this.unfinished.remove(end);
			if (error != null) {
				end.completeExceptionally(error);
			}
			else {
				end.complete(results);
			}
		});
		return end;
	}

	/** End what handlers have answered and not completed: they have failed. */
	void endUnfinished() {
		this.unfinished.forEach((end) -> end
			.completeExceptionally(new IllegalStateException("The test no longer waits for the handler")));
		this.unfinished.clear();
	}

	/**
	 * Whether a handler was interrupted meanwhile, unless its time was over, or its task
	 * was cancelled.
	 */
	boolean forgetInterruption(int count) {
		boolean interrupted = this.interrupted && since(count).stream().noneMatch(DeliveryRecorder::mayBeInterrupted);
		this.interrupted = false;
		return interrupted;
	}

	private static boolean mayBeInterrupted(EndedDelivery delivery) {
		TaskFailure failure = delivery.failure();
		return delivery.outcome() == DeliveryOutcome.STALE
				|| failure != null && TimeoutException.class.getName().equals(failure.type());
	}

	private void completed(List<Delivery<?>> deliveries, @Nullable List<TaskResult> results,
			@Nullable Throwable error) {
		Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
		for (int i = 0; i < deliveries.size(); i++) {
			if (cause != null) {
				note(deliveries.get(i), cause);
			}
			else if (results != null && i < results.size() && results.get(i) instanceof TaskResult.Failed failed) {
				note(deliveries.get(i), failed.cause());
			}
		}
	}

	private void note(Delivery<?> delivery, @Nullable Throwable cause) {
		DelayedTask<?> task = delivery.task();
		this.open.put(List.of(task.queue(), task.id()), new Handled(task, cause));
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		Handled handled = this.open.remove(List.of(queue, taskId));
		EndedDelivery delivery = new EndedDelivery(queue, taskId, outcome, this.clock.instant(),
				(handled != null) ? handled.task() : null, failure, (handled != null) ? handled.cause() : null);
		synchronized (this) {
			this.ended.add(delivery);
		}
	}

	synchronized List<EndedDelivery> ended() {
		return List.copyOf(this.ended);
	}

	synchronized boolean has(String queue, String taskId) {
		return this.ended.stream()
			.anyMatch((delivery) -> delivery.queue().equals(queue) && delivery.taskId().equals(taskId));
	}

	synchronized @Nullable EndedDelivery last() {
		return this.ended.isEmpty() ? null : this.ended.get(this.ended.size() - 1);
	}

	synchronized int count() {
		return this.ended.size();
	}

	synchronized List<EndedDelivery> since(int count) {
		return List.copyOf(this.ended.subList(Math.min(count, this.ended.size()), this.ended.size()));
	}

	synchronized void forget() {
		this.ended.clear();
		this.open.clear();
	}

}
