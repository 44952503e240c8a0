package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.event.DeliveryOutcome;

/**
 * What was scheduled once is handled again only for a reason, which is counted: its
 * handler failed, or its lease was lost, for which there is a reason in turn. Nothing
 * comes back once its end was confirmed.
 */
final class RedeliveryRule implements Rule {

	static final String FAILED = "the handler threw or asked for a retry";

	static final String FORGOTTEN = "Redis had forgotten it, and was given it again";

	static final String TIMED_OUT = "the handler hung beyond its timeout";

	@Override
	public void check(TaskHistory task, History history, Findings findings) {
		task.sends().forEach((send) -> {
			List<Handling> handlings = task.handlingsOf(send, history);
			if (!handlings.isEmpty()) {
				checkFirst(send, handlings.get(0), task, history, findings);
			}
			for (int i = 1; i < handlings.size(); i++) {
				new Again(task, handlings.get(i - 1), handlings.get(i), history.journaled, history.disturbances(),
						findings)
					.check();
			}
		});
	}

	private static void checkFirst(Call send, Handling first, TaskHistory task, History history, Findings findings) {
		if (first.failures > 0) {
			findings.violation("counts", "Had failed before it was first handled: " + send.id, task);
		}
		else if (first.leasesLost > 0 && history.disturbances().ofAnyClaimer(send.from, first.from) == null) {
			findings.violation("again", "Had lost a lease before it was first handled, for no reason: " + send.id,
					task);
		}
	}

	/**
	 * Two successive handlings.
	 *
	 * @param task the task
	 * @param before the one
	 * @param after the other
	 * @param journaled whether who has lost the lease may still be the first to say that
	 * the task is handled
	 * @param disturbances what may have cost leases
	 * @param findings takes what is wrong
	 */
	private record Again(TaskHistory task, Handling before, Handling after, boolean journaled,
			Disturbances disturbances, Findings findings) {

		void check() {
			int failures = this.after.failures - this.before.failures;
			int leasesLost = this.after.leasesLost - this.before.leasesLost;
			boolean confirmed = this.before.settled == DeliveryOutcome.SUCCESS
					|| this.before.settled == DeliveryOutcome.DEAD;
			// an older copy knows the holder of before, who may end what another has
			// ended
			boolean open = !confirmed || this.before.settledAt > this.after.from;
			if (open && this.disturbances.isForgotten(this.before.from, this.after.from)) {
				this.findings.explained(FORGOTTEN);
			}
			else if (failures < 0 || leasesLost < 0 || failures > 1) {
				violation("counts", "Counts went from %d failures and %d lost leases to %d and %d".formatted(
						this.before.failures, this.before.leasesLost, this.after.failures, this.after.leasesLost));
			}
			else if (confirmed && !(this.journaled && open)) {
				violation("settled", "Came back, or had been taken over, although its end was confirmed");
			}
			else if (this.before.settled == DeliveryOutcome.RETRY && failures == 0) {
				violation("settled", "The retry of a delivery was confirmed although it had been taken over");
			}
			else if (failures == 1) {
				explain(failure(), "its handler did not fail");
				if (leasesLost > 0 && lostWithout(this.disturbances.ofAnyClaimer(this.before.from, this.after.from))) {
					violation("again", "Handled again after a failure, with a lease lost for no reason");
				}
			}
			else if (leasesLost > 0) {
				explain(lostLease(), "it had no reason to lose its lease");
			}
			else {
				explain(handedBack(), "neither a failure nor a lost lease was counted");
			}
		}

		private static boolean lostWithout(@Nullable String reason) {
			return reason == null;
		}

		private void explain(@Nullable String reason, String otherwise) {
			if (reason != null) {
				this.findings.explained(reason);
			}
			else {
				violation("again", "Handled again, but " + otherwise);
			}
		}

		private @Nullable String failure() {
			if (this.before.outcome == HandlerOutcome.FAILED) {
				return FAILED;
			}
			boolean stopped = this.disturbances.isStopped(this.before.process, this.before.from, this.after.from);
			return (wentOnFor(SuiteSettings.MAYBE_TIMED_OUT) || stopped) ? TIMED_OUT : null;
		}

		private boolean wentOnFor(Duration time) {
			return Math.min(this.before.to, this.after.from) - this.before.from >= time.toMillis();
		}

		/** A handler whose time is over no longer keeps its lease. */
		private @Nullable String lostLease() {
			if (this.before.outcome == HandlerOutcome.HALTED) {
				return FaultKind.HANDLER_HALTED.description();
			}
			String reason = this.disturbances.ofHolder(this.before.process, this.before.from, this.after.from);
			return (reason == null && wentOnFor(SuiteSettings.HANDLER_TIMEOUT)) ? TIMED_OUT : reason;
		}

		private @Nullable String handedBack() {
			// one that ends after its timeout has been over before
			boolean ended = (this.before.outcome != HandlerOutcome.OK || wentOnFor(SuiteSettings.MAYBE_TIMED_OUT))
					&& this.disturbances.isEnded(this.before.process, this.before.from, this.after.from);
			return ended ? "released when its consumer was asked to end" : null;
		}

		private void violation(String rule, String text) {
			this.findings.violation(rule, text + " (" + this.after.send + ")", this.task);
		}

	}

}
