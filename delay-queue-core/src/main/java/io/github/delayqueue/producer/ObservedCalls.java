package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.event.ObservedSchedule;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.store.DueTime;

/**
 * Lets an observer look on while tasks are scheduled: one observation for each call,
 * however many tasks it has, and headers of it in each task.
 */
record ObservedCalls(TaskObserver observer) {

	ScheduleResult schedule(TaskRequest request, Function<TaskRequest, ScheduleResult> call) {
		ObservedSchedule observed = this.observer.schedule(request.queue(), 1);
		return observe(observed, request.id(), () -> call.apply(withHeaders(request, observed)),
				ScheduleResult::taskId);
	}

	/** Ends before who waits for the result knows it. */
	CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request,
			Function<TaskRequest, CompletableFuture<ScheduleResult>> call) {
		ObservedSchedule observed = this.observer.schedule(request.queue(), 1);
		CompletableFuture<ScheduleResult> answer = new CompletableFuture<>();
		call.apply(withHeaders(request, observed)).whenComplete((result, error) -> {
			observed.end((result != null) ? result.taskId() : request.id(), error);
			if (error != null) {
				answer.completeExceptionally(error);
			}
			else {
				answer.complete(result);
			}
		});
		return answer;
	}

	List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests,
			Function<Collection<TaskRequest>, List<ScheduleResult>> call) {
		ObservedSchedule observed = this.observer.schedule(commonQueue(requests), requests.size());
		return observe(observed, null,
				() -> call.apply(requests.stream().map((request) -> withHeaders(request, observed)).toList()),
				(results) -> null);
	}

	private static <T> T observe(ObservedSchedule observed, @Nullable String id, Supplier<T> call,
			Function<T, @Nullable String> idOfResult) {
		ObservedScope scope = observed.open();
		String taskId = id;
		Throwable error = null;
		try {
			T result = call.get();
			taskId = idOfResult.apply(result);
			return result;
		}
		catch (RuntimeException | Error ex) {
			error = ex;
			throw ex;
		}
		finally {
			scope.close();
			observed.end(taskId, error);
		}
	}

	private static @Nullable String commonQueue(Collection<TaskRequest> requests) {
		List<String> queues = requests.stream().map(TaskRequest::queue).distinct().limit(2).toList();
		return (queues.size() == 1) ? queues.get(0) : null;
	}

	private static TaskRequest withHeaders(TaskRequest request, ObservedSchedule observed) {
		// the runs of a recurring task are linked, or its trace would never end
		Duration delay = (request.recurrence() != null) ? Recurrence.MAX_PERIOD : delay(request.due());
		return request.withHeaders(observed.headers(request.headers(), delay));
	}

	private static Duration delay(DueTime due) {
		return Duration
			.ofMillis(due.relative() ? due.millis() : Math.max(0, due.millis() - System.currentTimeMillis()));
	}

}
