package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.limits.RateLimit;

/**
 * What limits promise whatever happens in a history: a claim never brings more tasks into
 * flight than it is allowed, and the claims that bring a rate along never take more in
 * any time than comes in during that time and what may have been saved up. Judged by what
 * claims answered, not by what stores keep.
 */
final class FlowInvariant {

	private final List<Taken> taken = new ArrayList<>();

	private @Nullable RateLimit rate;

	private record Taken(long micros, int tasks) {

	}

	/**
	 * A claim was answered.
	 * @param limits what it brought along
	 * @param result the answer
	 * @param before the state before
	 */
	void claimed(FlowLimits limits, ClaimResult result, QueueImage before) {
		if (!result.tasks().isEmpty() && limits.inFlight() != null) {
			long now = result.now().toEpochMilli();
			long inFlight = before.tasks()
				.values()
				.stream()
				.filter((task) -> task.state() == TaskState.IN_FLIGHT && task.score() > now)
				.count();
			if (inFlight + result.tasks().size() > limits.inFlight()) {
				throw new AssertionError("%d tasks were claimed while %d were in flight, which may be %d in all"
					.formatted(result.tasks().size(), inFlight, limits.inFlight()));
			}
		}
		if (limits.rate() != null) {
			claimed(limits.rate(), result);
		}
	}

	private void claimed(RateLimit rate, ClaimResult result) {
		long now = Duration.between(TaskStoreFixture.START, result.now()).toNanos() / 1000;
		boolean turnedBack = !this.taken.isEmpty() && now < this.taken.get(this.taken.size() - 1).micros();
		if (turnedBack || !rate.equals(this.rate)) {
			this.taken.clear();
			this.rate = rate;
		}
		this.taken.add(new Taken(now, result.tasks().size()));
		long sum = 0;
		for (int i = this.taken.size() - 1; i >= 0; i--) {
			Taken claim = this.taken.get(i);
			sum += claim.tasks();
			double micros = now - claim.micros() + RateLimit.SAVED.toMillis() * 1000;
			double allowed = 1 + micros * rate.tasks() / (rate.period().toMillis() * 1000);
			// times are of microseconds, and the next permit may be short of one
			if (sum > allowed + 2.0 * rate.tasks() / (rate.period().toMillis() * 1000)) {
				throw new AssertionError("%d tasks were claimed within %.0f us at %s".formatted(sum, micros, rate));
			}
		}
	}

}
