package io.github.delayqueue.lastchance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.delayqueue.listener.ClaimGuard;

/**
 * Keeps tasks that would die with the next lease they lose away from each other: a task
 * that ends its process each time takes the leases of all it runs beside with it, and
 * without this it would take its neighbours along to the dead. A claim brings one of them
 * at most. One at a time is held, until as many as run at a time have been handled: those
 * that lost their leases together with a dangerous task are over then, and the dangerous
 * one is none of those that come. Thread-safe.
 */
final class LastChances implements ClaimGuard {

	private final int maxLeaseLosses;

	/** How many tasks run at a time. */
	private final int neighbours;

	private final Set<Held> held = new HashSet<>();

	/** Who left one of these tasks where it is, the longest waiting first. */
	private final Set<Runnable> waiting = new LinkedHashSet<>();

	/** How many claims that may bring one are under way. */
	private int claiming;

	private int handled;

	LastChances(int maxLeaseLosses, int neighbours) {
		this.maxLeaseLosses = maxLeaseLosses;
		this.neighbours = neighbours;
	}

	@Override
	public synchronized boolean begin() {
		boolean takes = isProven() || this.held.size() + this.claiming == 0;
		this.claiming += takes ? 1 : 0;
		return takes;
	}

	private boolean isProven() {
		return this.handled >= this.neighbours;
	}

	@Override
	public void claimed(boolean takes, List<? extends Held> tasks, boolean left, Runnable claimAgain) {
		synchronized (this) {
			if (takes) {
				this.claiming--;
				tasks.stream().filter(this::isLastChance).forEach(this::hold);
			}
			else if (left) {
				this.waiting.add(claimAgain);
			}
		}
		wakeNext();
	}

	private boolean isLastChance(Held task) {
		int leasesLost = task.record().leasesLost();
		return leasesLost > 0 && leasesLost == this.maxLeaseLosses - 1;
	}

	private void hold(Held task) {
		this.held.add(task);
		task.whenSettled((handled) -> settled(task, handled));
	}

	private void settled(Held task, boolean handled) {
		synchronized (this) {
			this.held.remove(task);
			this.handled += handled ? 1 : 0;
		}
		wakeNext();
	}

	/** Who finds none lets the next one look; once they are proven, all may. */
	private void wakeNext() {
		List<Runnable> woken = new ArrayList<>();
		synchronized (this) {
			Iterator<Runnable> next = this.waiting.iterator();
			while (next.hasNext() && (isProven() || (woken.isEmpty() && this.held.size() + this.claiming == 0))) {
				woken.add(next.next());
				next.remove();
			}
		}
		woken.forEach(Runnable::run);
	}

}
