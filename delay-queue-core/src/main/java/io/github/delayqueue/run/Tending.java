package io.github.delayqueue.run;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.Tended;

/**
 * Tends sources for those who claim from them, and tells what was removed. Tasks do not
 * depend on it: where it fails, it is tried again when a claim says so. For wiring.
 * Thread-safe.
 */
public final class Tending {

	private static final Logger logger = LoggerFactory.getLogger(Tending.class);

	/** Whether it failed last time, wherever that was. */
	private volatile boolean failing;

	/**
	 * Tend a source, because a claim has said that it is time to.
	 * @return whether more is left to do at once
	 */
	public boolean tend(TaskRuns runs, String queue, String source) {
		try {
			Tended tended = runs.store().tend(source, runs.retention());
			this.failing = false;
			if (!tended.purged().isEmpty()) {
				purged(runs, queue, tended);
			}
			return tended.more();
		}
		catch (RuntimeException ex) {
			if (!this.failing) {
				logger.warn("Tasks of '{}' beyond their retention could not be removed, which will be tried again: {}",
						source, Names.printable(ex));
			}
			this.failing = true;
			logger.debug("Stack trace of the failed tending of '{}'", source, ex);
			return false;
		}
	}

	private static void purged(TaskRuns runs, String queue, Tended tended) {
		logger.warn("{} dead letters of queue '{}' were removed, as dead-letter.max-size or dead-letter.retention "
				+ "demands: {}", tended.purged().size(), queue, Names.printable(tended.purged()));
		runs.events().publish((listener) -> listener.onDelete(queue, tended.purged()));
	}

}
