package io.github.delayqueue.console;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What queues were when they were last shown, so that they are not sent again to somebody
 * who has seen them so. Thread-safe.
 */
final class ShownQueues {

	/** What other instances have said means nothing here. */
	private final String prefix = UUID.randomUUID() + "-";

	private final Map<String, Shown> shown = new HashMap<>();

	private long changes;

	synchronized void retain(Collection<String> all) {
		this.shown.keySet().retainAll(all);
	}

	/**
	 * Leave out those that have not changed.
	 * @param since what this has returned before, {@code null} to leave out none
	 * @return as of when it is so
	 */
	synchronized String leaveOut(Map<String, QueueEntry> queues, @Nullable String since) {
		long known = (since != null && since.matches(this.prefix + "\\d{1,18}"))
				? Long.parseLong(since.substring(this.prefix.length())) : -1;
		queues.entrySet().removeIf((queue) -> changedAt(queue.getKey(), queue.getValue()) <= known);
		return this.prefix + this.changes;
	}

	private long changedAt(String name, QueueEntry queue) {
		// the listeners of this instance poll all the time
		List<?> figures = (queue instanceof QueueDescriptor known) ? List.of(known.stats(), known.workers(),
				String.valueOf(known.consumers()), known.group(), known.trouble()) : List.of(queue);
		Shown last = this.shown.get(name);
		if (last == null || !last.figures.equals(figures)) {
			last = new Shown(figures, ++this.changes);
			this.shown.put(name, last);
		}
		return last.change;
	}

	private record Shown(List<?> figures, long change) {

	}

}
