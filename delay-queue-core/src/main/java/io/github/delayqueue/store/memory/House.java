package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.Tended;

/**
 * What is done for a queue, not for a task: when it is to be tended, and what is noted.
 */
final class House {

	private static final Duration TEND_EVERY = Duration.ofSeconds(1);

	private final TaskTable table;

	private final Counters counters;

	/** The totals at the first claims of the last hours. */
	private final Deque<History.Totals> hours = new ArrayDeque<>();

	/** When a claim said that it is time to tend; {@code null} if it is. */
	private @Nullable Long tendedAt;

	House(TaskTable table, Counters counters) {
		this.table = table;
		this.counters = counters;
	}

	/** Once a second, by whoever claims first; never where nothing happens. */
	boolean isUntended(boolean taken, StepTime now) {
		Long last = this.tendedAt;
		if (last != null && last <= now.millis() && now.millis() - last < TEND_EVERY.toMillis()) {
			return false;
		}
		if (!taken && this.table.size(TaskState.COMPLETED) + this.table.size(TaskState.DEAD) == 0) {
			return false;
		}
		this.tendedAt = now.millis();
		return true;
	}

	/** Before anything that a claim takes is settled. */
	void noteHour(StepTime now) {
		if (this.counters.scheduled > 0 && (this.hours.isEmpty() || this.hours.getLast().hour() != now.hour())) {
			this.hours.add(this.counters.at(now.hour()));
			if (this.hours.size() > History.KEPT + 1) {
				this.hours.remove();
			}
		}
	}

	Tended tend(Retention retention, StepTime now) {
		Trimming trimming = new Trimming(this.table, this.counters);
		List<String> purged = trimming.trim(retention, now);
		boolean more = trimming.isLeft(retention, now);
		if (more) {
			this.tendedAt = null;
		}
		return new Tended(purged, more);
	}

	History history(StepTime now) {
		return History.of(Stream.concat(this.hours.stream(), Stream.of(this.counters.at(now.hour()))).toList());
	}

}
