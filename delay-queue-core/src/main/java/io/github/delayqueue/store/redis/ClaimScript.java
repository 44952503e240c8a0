package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.ClaimPart;

/**
 * Claims tasks, as long as the caller waits for them: a claim that a server which was
 * frozen carries out after its caller has given up would take tasks for nobody, and they
 * would wait until their leases run out. By when it has to be carried out is said by the
 * server's clock. What that says now is reckoned from what it said in the last answer and
 * the local time since, so that no two machines' clocks are compared. Thread-safe.
 */
final class ClaimScript {

	private final ScriptRunner scripts;

	private final Duration answerTimeout;

	/**
	 * What the server's clock is ahead of the local monotonic one, in microseconds: per
	 * queue, because in a cluster each may be on another server.
	 */
	private final KnownQueues<Long> ahead = new KnownQueues<>();

	ClaimScript(ScriptRunner scripts) {
		this.scripts = scripts;
		this.answerTimeout = scripts.connections().answerTimeout();
	}

	/**
	 * Claim tasks.
	 * @param now the clock of a test, empty for the server's
	 */
	ClaimResult claim(String queue, ClaimRequest request, String now) {
		List<?> reply = claimInTime(queue, request, now);
		if (Replies.isTooLate(reply)) {
			// we are still here: the server's clock has been changed, or its last answer
			// was slow
			reply = claimInTime(queue, request, now);
		}
		if (Replies.isTooLate(reply)) {
			throw new DelayQueueException(queue, null, "Could not claim from queue '" + queue
					+ "': the server's clock has jumped forward. Nothing was claimed");
		}
		ClaimResult result = Replies.read(Scripts.CLAIM.stepName(), queue, reply, Replies::claim);
		assert PairChecks.claimed(request, result);
		return result;
	}

	private List<?> claimInTime(String queue, ClaimRequest request, String now) {
		ClaimTerms terms = request.terms();
		long sentAt = System.nanoTime();
		ScriptCall call = this.scripts.call(script(terms.parts()), queue)
			.add(now)
			.add(request.token())
			.add(request.limit())
			.add(request.lostLeaseLimit())
			.addMillis(terms.leaseDuration())
			.add(terms.maxBytes())
			.add(request.oldestFirst() ? "1" : "0")
			.add(now.isEmpty() ? deadline(queue, sentAt) : "")
			.addOptional(terms.maxLeaseLosses())
			.add(request.takesLastChance() ? "1" : "0")
			.add(terms.table());
		for (ClaimPart part : terms.parts()) {
			call.add(part.argument());
		}
		QueueHome home = this.scripts.home(queue);
		if (home != null) {
			home.addTo(call);
		}
		List<?> reply = this.scripts.once(call);
		// from when the answer came: a slow one makes for a deadline that is too early,
		// which costs a second call, never for one that is too late
		long answeredAt = System.nanoTime();
		long serverMicros = call.read(reply, Replies::number);
		this.ahead.put(queue, serverMicros - answeredAt / 1000);
		return reply;
	}

	private static Script script(List<ClaimPart> parts) {
		if (parts.isEmpty()) {
			return Scripts.CLAIM;
		}
		Map<Class<?>, String> files = new LinkedHashMap<>();
		parts.forEach((part) -> files.put(part.getClass(), part.name()));
		return Scripts.CLAIM.with(files);
	}

	/** Empty if the server's clock is not known yet. */
	private String deadline(String queue, long sentAt) {
		Long ahead = this.ahead.get(queue);
		return (ahead != null) ? Long.toString(sentAt / 1000 + ahead + this.answerTimeout.toNanos() / 1000) : "";
	}

}
