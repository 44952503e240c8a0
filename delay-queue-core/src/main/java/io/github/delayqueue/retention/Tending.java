package io.github.delayqueue.retention;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.TaskStore;

/**
 * Tends sources for those who claim from them, and tells what was removed. Tasks do not
 * depend on it: where it fails, it is tried again when a claim says so. For wiring.
 * Thread-safe.
 */
public final class Tending {

	private static final Logger logger = LoggerFactory.getLogger(Tending.class);

	/** Whether it failed last time, wherever that was. */
	private volatile boolean failing;

	/** The retention that the options of a queue ask for. */
	public static Retention retention(QueueOptions options) {
		return new Retention(options.get(OptionTable.COMPLETED_RETENTION), options.own(OptionTable.DEAD_RETENTION),
				options.own(OptionTable.DEAD_MAX_SIZE));
	}

	/**
	 * Tend a source, because a claim has said that it is time to.
	 * @param store without the role, nothing is removed
	 * @param queue the queue of the source
	 * @return whether more is left to do at once
	 */
	public boolean tend(TaskStore store, TaskEvents events, String queue, String source, QueueOptions options) {
		try {
			TaskRetention role = store.role(TaskRetention.class);
			if (role == null) {
				return false;
			}
			Tended tended = role.tend(source, retention(options));
			this.failing = false;
			if (!tended.purged().isEmpty()) {
				logger.warn(
						"{} dead letters of queue '{}' were removed, as dead-letter.max-size or "
								+ "dead-letter.retention demands: {}",
						tended.purged().size(), queue, Names.printable(tended.purged()));
				events.publish((listener) -> listener.onDelete(queue, tended.purged()));
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

}
