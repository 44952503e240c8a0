package io.github.delayqueue.journal;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Remembers of which generation the tasks are that this instance has claimed and not
 * settled, and whether the journal has been told that they are finished. Bounded: of what
 * is forgotten the generation can be asked for. Thread-safe.
 */
final class ClaimedTasks {

	private static final int MAX = 200_000;

	private final Map<Holder, Claim> claims = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Holder, Claim> eldest) {
			return size() > MAX;
		}

	};

	synchronized void put(String queue, String taskId, String token, long generation) {
		this.claims.put(new Holder(queue, taskId, token), new Claim(generation, false));
	}

	synchronized @Nullable Claim get(String queue, String taskId, String token) {
		return this.claims.get(new Holder(queue, taskId, token));
	}

	/** The row is deleted, because this holder has handled the task. */
	synchronized void finish(String queue, String taskId, String token) {
		this.claims.computeIfPresent(new Holder(queue, taskId, token),
				(holder, claim) -> new Claim(claim.generation(), true));
	}

	synchronized void remove(String queue, String taskId, String token) {
		this.claims.remove(new Holder(queue, taskId, token));
	}

	/** A task that is claimed, and whether its row is deleted. */
	record Claim(long generation, boolean finished) {

	}

	private record Holder(String queue, String taskId, String token) {

	}

}
