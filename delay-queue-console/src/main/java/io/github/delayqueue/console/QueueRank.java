package io.github.delayqueue.console;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.console.QueueEntry.Group;

/**
 * By what a queue has its place among others.
 *
 * @param weight what comes first within a group: what its trouble costs now, or tasks
 * handled
 * @param rate how many tasks are handled a second
 * @param figures {@code null} if they are not known
 */
record QueueRank(String name, Group group, long weight, double rate, @Nullable QueueDescriptor figures) {

	/** The most urgent first. */
	static final Comparator<QueueRank> URGENCY = Comparator.comparing(QueueRank::group)
		.thenComparing(QueueRank::weight, Comparator.reverseOrder())
		.thenComparing(QueueRank::name);

	private static final Map<String, Comparator<QueueRank>> COLUMNS = new TreeMap<>(Map.of("queue",
			Comparator.comparing(QueueRank::name), "waiting", by((queue) -> queue.stats().waiting()), "due",
			by((queue) -> queue.stats().due()), "late", by((queue) -> queue.stats().oldestDueAge().toMillis()),
			"inFlight", by((queue) -> queue.stats().inFlight()), "retrying", by((queue) -> queue.stats().retrying()),
			"dead", by((queue) -> queue.stats().dead()), "died", by((queue) -> queue.stats().diedLastHour()), "handled",
			Comparator.comparingDouble(QueueRank::rate), "consumers",
			// those of which it is not known are between none and one
			by((queue) -> (queue.consumers() != null) ? queue.consumers() : 0.5)));

	static QueueRank unknown(String name) {
		return new QueueRank(name, Group.QUIET, 0, 0, null);
	}

	static QueueRank of(String name, QueueEntry queue, double rate) {
		return (queue instanceof QueueDescriptor figures)
				? new QueueRank(name, queue.group(), weight(figures), rate, figures)
				: new QueueRank(name, queue.group(), Long.MAX_VALUE, 0, null);
	}

	private static long weight(QueueDescriptor queue) {
		return switch (queue.group()) {
			case DANGER, WARNING -> queue.trouble().stream().mapToLong(Trouble::cost).sum();
			case WORKING -> queue.stats().totals().completed();
			case QUIET -> 0;
		};
	}

	/**
	 * The order that was asked for, or by urgency. By a column, queues without figures
	 * come last.
	 */
	static Comparator<QueueRank> order(RequestArguments arguments) {
		String sort = arguments.text("sort");
		if (sort == null) {
			return URGENCY;
		}
		Comparator<QueueRank> column = COLUMNS.get(sort.replaceFirst("^-", ""));
		if (column == null) {
			throw arguments.invalid("The sort must be one of: " + String.join(", ", COLUMNS.keySet())
					+ "; with a hyphen before it, the largest come first");
		}
		return Comparator.comparing((QueueRank rank) -> rank.figures == null)
			.thenComparing(sort.startsWith("-") ? column.reversed() : column)
			.thenComparing(URGENCY);
	}

	boolean isUnreadable() {
		return this.weight == Long.MAX_VALUE;
	}

	private static Comparator<QueueRank> by(ToDoubleFunction<QueueDescriptor> figure) {
		return Comparator.comparingDouble((rank) -> (rank.figures != null) ? figure.applyAsDouble(rank.figures) : 0);
	}

}
