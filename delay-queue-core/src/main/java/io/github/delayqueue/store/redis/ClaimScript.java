package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.FlowLimits;
import io.github.delayqueue.store.RateLimit;

/**
 * Claims tasks, as long as the caller waits for them.
 */
final class ClaimScript {

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final ClaimDeadlines deadlines;

	ClaimScript(RedisKeys keys, ScriptRunner scripts, Duration answerTimeout) {
		this.keys = keys;
		this.scripts = scripts;
		this.deadlines = new ClaimDeadlines(answerTimeout);
	}

	/**
	 * Claim tasks.
	 * @param request what to take
	 * @param now the clock of a test, empty for the server's
	 * @return what was taken
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
					+ "': the server's clock runs ahead of what it said a moment ago. Nothing was claimed");
		}
		return Replies.read(Script.CLAIM.stepName(), queue, reply, Replies::claim);
	}

	private List<?> claimInTime(String queue, ClaimRequest request, String now) {
		long sentAt = System.nanoTime();
		Arguments arguments = new Arguments().add(now)
			.add(request.token())
			.add(request.limit())
			.add(request.lostLeaseLimit())
			.addMillis(request.ttr())
			.add(request.maxBytes())
			.add(request.oldestFirst() ? "1" : "0")
			.addMillis(request.retention().completed())
			.addMillis(request.retention().dead())
			.add((request.retention().deadMaxSize() != null) ? request.retention().deadMaxSize().toString() : "")
			.add(now.isEmpty() ? this.deadlines.deadline(queue, sentAt) : "");
		addLimits(arguments, request.limits(), request.lastChance());
		List<?> reply = this.scripts.once(Script.CLAIM, queue, Script.CLAIM.keys(this.keys, queue),
				arguments.toArray());
		this.deadlines.learn(queue, System.nanoTime(),
				Replies.read(Script.CLAIM.stepName(), queue, reply, Replies::number));
		return reply;
	}

	/** Nothing is said of what is not limited. */
	private static void addLimits(Arguments arguments, FlowLimits limits, ClaimRequest.@Nullable LastChance last) {
		RateLimit rate = limits.rate();
		if (limits.inFlight() != null || rate != null || last != null) {
			arguments.add((limits.inFlight() != null) ? limits.inFlight().toString() : "");
		}
		if (rate != null) {
			arguments.add(rate.tasks()).add(TimeUnit.MILLISECONDS.toMicros(rate.period().toMillis()));
		}
		else if (last != null) {
			arguments.add("").add("");
		}
		if (last != null) {
			arguments.add(last.maxLeaseLosses()).add(last.takes() ? "1" : "0");
		}
	}

}
