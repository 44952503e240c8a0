package io.github.delayqueue.migration;

import io.github.delayqueue.producer.TaskRequest;

/**
 * An entry that a task can be made of.
 *
 * @param key what it is called in the moving area
 * @param member the entry as it lies in Redis
 * @param request its task, to be parked
 */
record Candidate(String key, byte[] member, TaskRequest request) {

	String taskId() {
		return String.valueOf(this.request.id());
	}

}
