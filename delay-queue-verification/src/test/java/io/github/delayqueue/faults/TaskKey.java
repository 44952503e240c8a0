package io.github.delayqueue.faults;

/**
 * Names a task.
 *
 * @param queue its queue
 * @param id its id
 */
record TaskKey(String queue, String id) {

	@Override
	public String toString() {
		return this.queue + "/" + this.id;
	}

}
