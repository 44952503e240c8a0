package io.github.delayqueue.migration;

import org.jspecify.annotations.Nullable;

/**
 * Reads the value of an element of a {@code RDelayedQueue}, as its codec has written it.
 * For users; ready ones are in {@link RedissonPayloads}.
 *
 * @param <T> what it reads
 */
@FunctionalInterface
public interface PayloadReader<T> {

	/**
	 * Read an encoded value. Called on one thread.
	 * @return the payload of the task, {@code null} if it cannot be read
	 * @throws Exception if it cannot be read: the element is left where it is, and
	 * counted as unreadable
	 */
	@Nullable T read(byte[] value) throws Exception;

}
