package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/**
 * Keeps tasks that would die with the next lease they lose away from each other: one of
 * them at a time is let in. A task that ends its process each time takes the leases of
 * all it runs beside with it; without this it would take its neighbours along to the
 * dead. Thread-safe.
 */
final class LastChances {

	private static final Logger logger = LoggerFactory.getLogger(LastChances.class);

	/** After what time a task that was not let in is due again. */
	static final Duration DELAY = Duration.ofMillis(200);

	private final String queue;

	private final int maxExpiries;

	private final TaskStore store;

	private @Nullable Held admitted;

	/** Where the one that was admitted is held. */
	private @Nullable Leases admittedTo;

	LastChances(String queue, int maxExpiries, TaskStore store) {
		this.queue = queue;
		this.maxExpiries = maxExpiries;
		this.store = store;
	}

	/**
	 * Let tasks in, and hand back at once, before any of them can do harm, those that
	 * have to wait.
	 * @param claimed what has been claimed, from one partition
	 * @param leases where those of the partition are held
	 * @param settlements settles those of the partition
	 * @return what may run
	 */
	List<Held> admit(List<Held> claimed, Leases leases, Settlements settlements) {
		for (Held task : claimed) {
			if (isLastChance(task)) {
				return admitOne(claimed, leases, settlements);
			}
		}
		return claimed;
	}

	private synchronized List<Held> admitOne(List<Held> claimed, Leases leases, Settlements settlements) {
		List<Held> admitted = new ArrayList<>(claimed.size());
		List<Held> refused = new ArrayList<>();
		Held before = isHeld(this.admitted, this.admittedTo) ? this.admitted : null;
		Held chosen = before;
		for (Held task : claimed) {
			if (isLastChance(task) && chosen != null) {
				refused.add(task);
				continue;
			}
			if (isLastChance(task)) {
				chosen = task;
			}
			admitted.add(task);
		}
		if (!refused.isEmpty() && !handBack(refused)) {
			// none of them may run beside the others, nor any lose its lease
			for (Held task : claimed) {
				if (isLastChance(task)) {
					admitted.remove(task);
					leases.add(List.of(task));
					settlements.add(Outcome.release(task, DELAY));
				}
			}
			chosen = before;
		}
		if (chosen != before) {
			this.admittedTo = leases;
			if (chosen != null) {
				// before another partition's tasks are judged
				leases.add(List.of(chosen));
			}
		}
		this.admitted = chosen;
		return admitted;
	}

	private static boolean isHeld(@Nullable Held task, @Nullable Leases leases) {
		return task != null && leases != null && leases.contains(task);
	}

	private boolean isLastChance(Held task) {
		int expiries = task.record().expiries();
		return expiries > 0 && expiries == this.maxExpiries - 1;
	}

	private boolean handBack(List<Held> refused) {
		try {
			this.store.settle(refused.get(0).partition(),
					refused.stream().map((task) -> Settlement.release(task.id(), task.token(), DELAY)).toList());
			return true;
		}
		catch (RuntimeException | Error ex) {
			logger.warn(
					"{} tasks of queue '{}' that may lose no further lease could not be handed back; "
							+ "it will be tried again while their leases are extended: {}",
					refused.size(), this.queue, ex.toString());
			return false;
		}
	}

}
