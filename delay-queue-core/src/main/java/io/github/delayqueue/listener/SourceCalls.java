package io.github.delayqueue.listener;

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

}
