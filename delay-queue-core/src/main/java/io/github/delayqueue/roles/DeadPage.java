package io.github.delayqueue.roles;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.StoredTask;

/**
 * The findings of one step of a search among dead letters. Public for the stores.
 *
 * @param looked how many tasks were looked at
 * @param groups these by cause, if no task was asked for
 * @param tasks the tasks that were asked for, the longest dead first, without envelopes
 * @param cursor where to go on, {@code null} if all have been looked at
 */
public record DeadPage(int looked, List<Group> groups, List<StoredTask> tasks, @Nullable String cursor) {

	/**
	 * Tasks that have died of the same.
	 *
	 * @param cause of what
	 * @param tasks how many
	 * @param first since when the first of them is dead
	 * @param last since when the last of them is dead
	 * @param lastId the id of the last one
	 * @param failure its failure, {@code null} if it has none
	 */
	public record Group(String cause, long tasks, Instant first, Instant last, String lastId,
			byte @Nullable [] failure) {

		/** Both together. */
		public Group plus(Group other) {
			Group later = (other.last.isBefore(this.last)) ? this : other;
			return new Group(this.cause, this.tasks + other.tasks,
					this.first.isBefore(other.first) ? this.first : other.first, later.last, later.lastId,
					later.failure);
		}

	}

}
