package io.github.delayqueue.faults;

/**
 * Checks one promise for one task.
 */
@FunctionalInterface
interface Rule {

	/**
	 * Check.
	 * @param task what happened to the task
	 * @param history what happened besides
	 * @param findings takes what is wrong
	 */
	void check(TaskHistory task, History history, Findings findings);

}
