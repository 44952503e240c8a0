package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends scripts over a connection without waiting for the reply.
 */
@FunctionalInterface
interface ScriptSender {

	/**
	 * Send a script.
	 * @param script the script, which the server must have
	 * @param keys how many keys it has
	 * @return the reply, or the driver's error
	 */
	CompletableFuture<List<?>> send(Script script, int keys, byte[][] keysAndArguments);

}
