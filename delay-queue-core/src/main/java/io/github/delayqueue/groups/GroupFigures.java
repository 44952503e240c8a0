package io.github.delayqueue.groups;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a group.
 *
 * @param group its name, {@code null} of all tasks without a group
 * @param waiting tasks that wait, those included that are due
 * @param inFlight {@code null} if that is not known: without a limit, or a group
 */
public record GroupFigures(@Nullable String group, long waiting, long due, @Nullable Long inFlight, boolean paused) {

	/**
	 * Those of some groups.
	 *
	 * @param next where to go on, 0 if these were the last ones
	 * @param total how many groups there are
	 */
	public record Page(long next, long total, List<GroupFigures> groups) {

	}

	/**
	 * Tasks of a group that wait.
	 *
	 * @param total how many there are
	 * @param ids some of them
	 */
	public record Waiting(long total, List<String> ids) {

	}

}
