package io.github.delayqueue.migration;

import io.github.delayqueue.producer.TaskRequest;

/**
 * Makes a task of an entry of a source.
 */
@FunctionalInterface
interface TaskFactory {

	/**
	 * Make a task. Of the same entry it must make one with the same id each time.
	 * @param key what the entry is called in the moving area
	 * @param value what the entry holds
	 * @param stored reads what lies beside the entries
	 * @return the task, with an id, without due time
	 * @throws Exception if it cannot be made: the entry stays where it is
	 */
	TaskRequest.Builder create(String key, byte[] value, StoredValues stored) throws Exception;

}
