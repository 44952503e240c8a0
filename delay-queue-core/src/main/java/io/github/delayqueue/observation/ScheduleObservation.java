package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.ObservedSchedule;
import io.github.delayqueue.event.ObservedScope;

/**
 * A call that schedules, as an observation.
 *
 * @param context its context
 * @param observation the observation
 * @param linkAfter from what delay on a task begins a trace of its own
 */
record ScheduleObservation(ScheduleObservationContext context, GuardedObservation observation,
		Duration linkAfter) implements ObservedSchedule {

	/**
	 * A task that comes with a context already keeps it: it was created elsewhere.
	 */
	@Override
	public Map<String, String> headers(Map<String, String> headers, Duration delay) {
		Map<String, String> injected = Objects.requireNonNull(this.context.getCarrier());
		if (injected.isEmpty() || injected.keySet().stream().anyMatch(headers::containsKey)) {
			return headers;
		}
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.putAll(injected);
		if (delay.compareTo(this.linkAfter) > 0) {
			all.put(ObservationNames.LINK_HEADER, ObservationNames.LINK);
		}
		return all;
	}

	@Override
	public ObservedScope open() {
		return this.observation.open();
	}

	@Override
	public void end(@Nullable String taskId, @Nullable Throwable error) {
		this.context.setTaskId(taskId);
		this.observation.stop(error);
	}

}
