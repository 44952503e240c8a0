package io.github.delayqueue.lastchance;

import io.github.delayqueue.listener.ClaimGuard;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.options.QueueOptions;

/** Guards the claims of each container of an application. For wiring. */
public final class LastChanceGuard implements ConsumerPart {

	@Override
	public ClaimGuard guard(QueueOptions options) {
		return new LastChances(options.maxLeaseLosses(), options.slots());
	}

}
