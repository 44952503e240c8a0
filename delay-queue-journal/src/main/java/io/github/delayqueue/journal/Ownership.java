package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.store.OtherTableException;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.TaskStore;

/**
 * Which queues the store keeps for another table: nothing of them is claimed or handed
 * over here. A store that was emptied has forgotten that; who was refused leaves them to
 * the owner for some time. Thread-safe.
 */
final class Ownership {

	static final Duration HOLDS = Duration.ofSeconds(10);

	private final String table;

	private final Incarnations store;

	private final Clock clock;

	private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

	Ownership(String table, TaskStore store, Clock clock) {
		this.table = table;
		this.store = store.requireRole(Incarnations.class);
		this.clock = clock;
	}

	String table() {
		return this.table;
	}

	Epoch beat(String partition, Epoch known, String incarnation) {
		String queue = Sources.queue(partition);
		Refusal refusal = this.refusals.get(queue);
		Epoch now = this.store.beat(partition, known.of((refusal != null) ? "" : this.table), incarnation);
		if (now.table().equals(this.table)) {
			allowed(queue);
			// whoever only looks is not counted
			return (refusal != null) ? beat(partition, known, incarnation) : now;
		}
		if (!now.table().isEmpty()) {
			throw refused(queue, now.table());
		}
		String other = (refusal != null) ? refusal.table() : "";
		if (refusal == null || !holds(refusal)) {
			// the next beat takes it
			this.refusals.remove(queue);
		}
		throw new OtherTableException(queue, other, this.table);
	}

	void adopt(String queue) {
		this.store.adopt(queue, this.table);
		allowed(queue);
	}

	OtherTableException refused(String queue, String other) {
		this.refusals.put(queue, new Refusal(other, this.clock.millis()));
		return new OtherTableException(queue, other, this.table);
	}

	void allowed(String queue) {
		this.refusals.remove(queue);
	}

	boolean isRefused(String queue) {
		Refusal refusal = this.refusals.get(queue);
		return refusal != null && holds(refusal);
	}

	void require(String queue) {
		Refusal refusal = this.refusals.get(queue);
		if (refusal != null && holds(refusal)) {
			throw new OtherTableException(queue, refusal.table(), this.table);
		}
	}

	/** Not for longer if the clock is set back. */
	private boolean holds(Refusal refusal) {
		long since = this.clock.millis() - refusal.atMillis();
		return since >= 0 && since < HOLDS.toMillis();
	}

	private record Refusal(String table, long atMillis) {

	}

}
