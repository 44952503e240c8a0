package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends scripts over a connection without waiting for the reply. */
@FunctionalInterface
public interface ScriptSender {

	/**
	 * Send a script, which the server must have.
	 * @return the reply, or the driver's error
	 */
	CompletableFuture<List<?>> send(ScriptCall call);

}
