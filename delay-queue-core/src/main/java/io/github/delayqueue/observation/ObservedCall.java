package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.DueTime;

/** A call that is observed: one observation, and its headers in each task. */
record ObservedCall(ScheduleObservationContext context, GuardedObservation observation, Duration linkAfter) {

	<T> T run(@Nullable String id, Supplier<T> call, Function<T, @Nullable String> idOfResult) {
		ObservedScope scope = this.observation.open();
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
			end(taskId, error);
		}
	}

	void end(@Nullable String taskId, @Nullable Throwable error) {
		this.context.setTaskId(taskId);
		this.observation.stop(error);
	}

	/** A task that comes with a context already keeps it: it was created elsewhere. */
	TaskRequest withHeaders(TaskRequest request) {
		Map<String, String> headers = request.headers();
		Map<String, String> injected = Objects.requireNonNull(this.context.getCarrier());
		if (injected.isEmpty() || injected.keySet().stream().anyMatch(headers::containsKey)) {
			return request;
		}
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.putAll(injected);
		if (delay(request).compareTo(this.linkAfter) > 0) {
			all.put(ProcessObservationContext.LINK_HEADER, "link");
		}
		return request.withHeaders(all);
	}

	private static Duration delay(TaskRequest request) {
		// the runs of a recurring task are linked, or its trace would never end
		if (request.recurrence() != null) {
			return Recurrence.MAX_PERIOD;
		}
		DueTime due = request.due();
		return Duration
			.ofMillis(due.relative() ? due.millis() : Math.max(0, due.millis() - System.currentTimeMillis()));
	}

}
