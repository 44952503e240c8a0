package io.github.delayqueue.console;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The changes of a queue and their users, as the endpoint shows them. Public because the
 * endpoint returns it.
 *
 * @param changes the latest first
 */
public record ChangesDescriptor(List<Change> changes) implements OperationResponseBody {

	/**
	 * A change, or several like ones that came within a minute of each other.
	 *
	 * @param at when, by the clock of the store
	 * @param user who; {@code anonymous} if that is not known
	 * @param action what
	 * @param tasks how many tasks it has changed; {@code null} (over the web: missing) if
	 * it is none of tasks
	 * @param subject the id, group, cause, reason or state of these tasks, or the
	 * listener; {@code null} if there was none of these
	 */
	public record Change(Instant at, String user, String action, @Nullable Long tasks, @Nullable String subject) {

	}

}
