package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * By when, by the server's clock, a claim has to be carried out: a claim that a server
 * which was frozen carries out after its caller has given up would take tasks for nobody,
 * and they would wait until their leases run out. What the server's clock says now is
 * reckoned from what it said in the last answer and the local time since, so that no two
 * machines' clocks are compared. Thread-safe.
 */
final class ClaimDeadlines {

	private final long commandTimeoutMicros;

	/**
	 * What the server's clock is ahead of the local monotonic one, in microseconds: per
	 * queue, because in a cluster each may be on another server.
	 */
	private final Map<String, Long> ahead = new ConcurrentHashMap<>();

	ClaimDeadlines(Duration commandTimeout) {
		this.commandTimeoutMicros = commandTimeout.toNanos() / 1000;
	}

	/**
	 * The deadline of a claim.
	 * @param sentAt when it is sent, by {@link System#nanoTime()}
	 * @return microseconds of the server's clock, or an empty text if it is not known yet
	 */
	String deadline(String queue, long sentAt) {
		Long ahead = this.ahead.get(queue);
		return (ahead != null) ? Long.toString(sentAt / 1000 + ahead + this.commandTimeoutMicros) : "";
	}

	/**
	 * Learn what the server's clock says. Counted from when the answer came, so that a
	 * slow answer makes for a deadline that is too early, which costs a second call,
	 * never for one that is too late.
	 * @param answeredAt when the answer came, by {@link System#nanoTime()}
	 * @param serverMicros what the server's clock said when it carried out the claim
	 */
	void learn(String queue, long answeredAt, long serverMicros) {
		this.ahead.put(queue, serverMicros - answeredAt / 1000);
	}

}
