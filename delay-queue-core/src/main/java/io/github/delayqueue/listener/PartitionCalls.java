package io.github.delayqueue.listener;

import java.util.concurrent.atomic.AtomicBoolean;

import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.TaskStore;

/**
 * What the calls of a container that concern one partition have in common.
 *
 * @param suspect whether the last one failed: a claim, an extension or a settlement
 */
record PartitionCalls(String partition, TaskRuns runs, ContainerThreads threads, AtomicBoolean suspect) {

	String queue() {
		return Partitions.queue(this.partition);
	}

	TaskStore store() {
		return this.runs.store();
	}

}
