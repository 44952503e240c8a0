package io.github.delayqueue.benchmark.peers;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for answers of a server.
 */
final class Replies {

	private static final long SECONDS = 60;

	private Replies() {
	}

	static <T> T await(CompletionStage<T> reply) {
		try {
			return reply.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for an answer", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The server refused", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("No answer in " + SECONDS + " seconds", ex);
		}
	}

}
