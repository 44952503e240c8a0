package io.github.delayqueue.producer;

import io.github.delayqueue.store.NewTask;

/**
 * A task that is checked and written as JSON, ready to be sent.
 *
 * @param queue the queue
 * @param task the task
 */
record EncodedTask(String queue, NewTask task) {

	String id() {
		return this.task.id();
	}

	int bytes() {
		return this.task.envelope().length;
	}

}
