package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.ServerReport;

/**
 * What about a server endangers tasks: sentences that say what comes of it and what to
 * change.
 */
final class ServerWarnings {

	private ServerWarnings() {
	}

	/**
	 * What is to be said.
	 * @param readsFromReplicas whether the application does, {@code null} if unknown
	 * @param restored whether all tasks are restored when a server has lost them
	 * @return sentences
	 */
	static List<String> of(List<ServerState> servers, @Nullable Boolean readsFromReplicas, boolean restored) {
		List<String> warnings = new ArrayList<>();
		for (ServerState server : servers) {
			String name = server.address().isEmpty() ? "Redis" : "Redis at " + server.address();
			eviction(name, server.maxmemoryPolicy(), warnings);
			if (server.persistence().equals("none")) {
				warnings.add(name + " writes nothing to disk: when it restarts, "
						+ (restored
								? "the journal restores all tasks, but pauses, totals, completed tasks that are kept "
										+ "and how often a task was tried are lost"
								: "all tasks are lost, except those of queues with a journal")
						+ "; set appendonly to yes and appendfsync to everysec or always");
			}
			if (server.role().equals("replica")) {
				warnings.add(name + " is a replica: it refuses to schedule and to deliver tasks; "
						+ "let spring.data.redis.* name the primary");
			}
		}
		if (Boolean.TRUE.equals(readsFromReplicas)) {
			warnings.add("The application reads from replicas (spring.data.redis.lettuce.read-from): the delay queue "
					+ "goes to the primary all the same, so what the application reads of its keys may be out of date; "
					+ "look at tasks through DelayQueueOperations");
		}
		return warnings;
	}

	private static void eviction(String name, String policy, List<String> warnings) {
		if (policy.equals("noeviction") || policy.equals(ServerReport.UNKNOWN)) {
			return;
		}
		String consequence = policy.startsWith("volatile-")
				? "deletes keys that have an expiry, and those of the delay queue are safe only as long as nobody gives "
						+ "them one"
				: "deletes keys, and with them whole queues of tasks";
		warnings.add(name + " has the maxmemory-policy " + policy + ": when its memory is full it " + consequence
				+ "; set maxmemory-policy to noeviction");
	}

}
