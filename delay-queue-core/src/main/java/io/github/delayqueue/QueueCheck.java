package io.github.delayqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of checking a queue, or a part of it: whether each task is in exactly one
 * place, and whether the totals add up.
 *
 * @param cursor where to go on, {@code null} if everything has been looked at. It belongs
 * to the server that gave it: after a failover, begin anew
 * @param checked how many entries were looked at: a task stands in several structures and
 * is counted in each
 * @param findings what is not as it should be; of a repair, what was not, and is now
 * @param sums figures that have to agree, all of one instant: the end of the call
 */
public record QueueCheck(@Nullable String cursor, long checked, List<Finding> findings, Sums sums) {

	public QueueCheck {
		findings = List.copyOf(findings);
	}

	/** Whether nothing was found; of a part, nothing in this part. */
	public boolean isClean() {
		return this.findings.isEmpty();
	}

	/**
	 * Something that is not as it should be.
	 *
	 * @param kind what is wrong
	 * @param subject id of the task; of {@link Kind#WRONG_TYPE} the key, of
	 * {@link Kind#UNREADABLE_TOTAL} the total, of {@link Kind#TOTALS} and
	 * {@link Kind#ORPHANS} the total that does not fit
	 * @param places the indexes that the id is in: {@code normal}, {@code high},
	 * {@code low}, {@code leases}, {@code dead}, {@code completed}
	 * @param after the index that a repair has left it in, {@code null} if it is in none,
	 * or if nothing was repaired
	 */
	public record Finding(Kind kind, String subject, List<String> places, @Nullable String after) {

		public Finding {
			places = List.copyOf(places);
		}

	}

	/**
	 * Kinds of faults, and what a repair does about each.
	 */
	public enum Kind {

		/**
		 * A task that is in no index, so nothing would ever find it. Made dead, with
		 * {@link DeadReason#RECOVERED}.
		 */
		RECORD_WITHOUT_INDEX,

		/**
		 * An id that is scheduled or in flight, but has no record. Made dead, as a claim
		 * would do; removed if it is dead or completed besides.
		 */
		INDEX_WITHOUT_RECORD,

		/**
		 * A task in several indexes. Stays in flight if the delivery has a token, else
		 * scheduled (where it is due last), else in flight, dead, completed.
		 */
		SEVERAL_INDEXES,

		/** Counts of deliveries of an id without a record. Removed. */
		DELIVERY_WITHOUT_RECORD,

		/** Last failure of an id without a record. Removed. */
		ERROR_WITHOUT_RECORD,

		/** A token though the task is not in flight. Removed, so that it is stale. */
		TOKEN_WITHOUT_LEASE,

		/**
		 * A task in flight that no consumer can settle, because the delivery has no
		 * token. Scheduled again, for when it was due.
		 */
		LEASE_WITHOUT_TOKEN,

		/**
		 * Counts of deliveries that cannot be read. Start at zero again; in flight, the
		 * task is scheduled again.
		 */
		UNREADABLE_DELIVERY,

		/** A dead or completed task without counts of deliveries. They are zero then. */
		MISSING_DELIVERY,

		/**
		 * A due time, deadline or time of death that is no millisecond before the year
		 * 10000. Becomes now if it is too early, the last possible if it is too late.
		 */
		IMPOSSIBLE_TIME,

		/** A total that is no number. Is zero then. */
		UNREADABLE_TOTAL,

		/**
		 * The totals do not add up. Judged at the end only, when all else is repaired:
		 * tasks that are missing count as cleared then, tasks too many as scheduled.
		 */
		TOTALS,

		/**
		 * The stored number of dead ids without a record is wrong. Judged at the end
		 * only; is corrected.
		 */
		ORPHANS,

		/**
		 * A key that holds something else than it should. Nothing can be judged, and
		 * nothing is repaired, until it is renamed or deleted by hand.
		 */
		WRONG_TYPE

	}

	/**
	 * Figures of a queue that have to agree. In order, {@code scheduled} equals
	 * {@code accounted}, and {@code records} plus {@code orphans} equals {@code indexed}.
	 *
	 * @param scheduled tasks ever accepted, replacements included
	 * @param accounted tasks that are scheduled, in flight and dead now, plus the totals
	 * of those completed, cancelled, replaced, cleared and purged
	 * @param records tasks that have a record, whatever their state
	 * @param indexed entries of all indexes
	 * @param orphans dead ids that have no record
	 */
	public record Sums(long scheduled, long accounted, long records, long indexed, long orphans) {

		/**
		 * By how much the totals do not add up: more than zero if tasks are missing, less
		 * if there are too many.
		 */
		public long difference() {
			return this.scheduled - this.accounted;
		}

	}

}
