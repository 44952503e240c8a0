package io.github.delayqueue.producer;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Finding;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.store.TaskStore;

/**
 * Checks and repairs queues, step by step.
 *
 * @param clock says when a task was recovered; nothing is decided by it
 */
record Checks(TaskStore store, TaskCodec codec, Clock clock) {

	private static final Logger logger = LoggerFactory.getLogger(Checks.class);

	/**
	 * Of ten million tasks Redis takes some milliseconds for as many, and others wait
	 * meanwhile.
	 */
	static final int PAGE = 200;

	private static final int MAX_FINDINGS = 10_000;

	QueueCheck check(String queue, @Nullable String cursor, int limit) {
		return withCursor(queue, () -> this.store.check(queue, cursor, limit, null));
	}

	QueueCheck repair(String queue, @Nullable String cursor, int limit) {
		byte[] failure = this.codec.writeFailure(new TaskFailure(DeadReason.RECOVERED, null,
				"A repair found it in no index of its queue. Its due time is lost, and it may have been handled",
				this.clock.instant()));
		QueueCheck repaired = withCursor(queue, () -> this.store.check(queue, cursor, limit, failure));
		if (!repaired.isClean()) {
			logger.warn("Repaired queue '{}', defects found: {}, the first: {}", queue, repaired.findings().size(),
					repaired.findings().get(0).kind());
		}
		return repaired;
	}

	private static QueueCheck withCursor(String queue, Supplier<QueueCheck> step) {
		try {
			return step.get();
		}
		catch (IllegalArgumentException ex) {
			throw new DelayQueueException(queue, null, "Queue '" + queue + "': " + ex.getMessage(), ex);
		}
	}

	/**
	 * Repeat a step, given its cursor, until everything has been looked at, or too much
	 * has been found. A finding that two steps come upon is answered once; the sums are
	 * those of the last one.
	 */
	static QueueCheck all(Function<@Nullable String, QueueCheck> step) {
		Set<Finding> findings = new LinkedHashSet<>();
		long checked = 0;
		String cursor = null;
		QueueCheck page;
		do {
			page = step.apply(cursor);
			checked += page.checked();
			findings.addAll(page.findings());
			cursor = page.cursor();
		}
		while (cursor != null && findings.size() < MAX_FINDINGS);
		return new QueueCheck(cursor, checked, new ArrayList<>(findings), page.sums());
	}

}
