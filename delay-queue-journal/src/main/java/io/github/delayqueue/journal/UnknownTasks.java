package io.github.delayqueue.journal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;

/**
 * Tells of tasks that are dropped for want of a row: at once, and then once a minute for
 * each queue.
 */
final class UnknownTasks {

	private static final Logger logger = LoggerFactory.getLogger(UnknownTasks.class);

	private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private final Map<String, Untold> untold = new HashMap<>();

	synchronized void dropped(String queue, List<String> ids) {
		if (ids.isEmpty()) {
			return;
		}
		Untold before = this.untold.get(queue);
		long tasks = ids.size() + ((before != null) ? before.tasks() : 0);
		long now = System.nanoTime();
		if (before != null && now - before.since() < INTERVAL) {
			this.untold.put(queue, new Untold(tasks, before.since()));
			return;
		}
		this.untold.put(queue, new Untold(0, now));
		logger.warn("{} tasks of queue '{}' were dropped, for instance '{}', because the table of the journal does not "
				+ "have them: cancelled at that moment, brought back by an older copy of Redis, or scheduled in another "
				+ "database", tasks, queue, Names.printable(ids.get(0)));
	}

	private record Untold(long tasks, long since) {

	}

}
