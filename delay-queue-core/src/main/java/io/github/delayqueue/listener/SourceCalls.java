package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.TaskStore;

/**
 * What the calls of a container that concern one source have in common.
 *
 * @param source where it is claimed from, as the store names it
 * @param suspect whether the last one failed: a claim, an extension or a settlement
 */
record SourceCalls(String queue, String source, TaskRuns runs, ContainerThreads threads, AtomicBoolean suspect) {

	TaskStore store() {
		return this.runs.store();
	}

	/**
	 * Make a call that protects tasks, for which nobody waits.
	 * @return whether it is made; not if the application ends, or no thread is left
	 */
	boolean watch(Runnable call) {
		ContainerThreads.Calls watch = this.threads.watch();
		try {
			watch.schedule(() -> {
				if (!watch.handOver(call, this.suspect.get())) {
					call.run();
				}
			}, Duration.ZERO);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

}
