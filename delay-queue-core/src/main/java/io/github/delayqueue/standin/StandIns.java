package io.github.delayqueue.standin;

import io.github.delayqueue.listener.ClaimPace;
import io.github.delayqueue.listener.ConsumerPart;

/** Lets consumers that have rivals stand in for each other. For wiring. */
public final class StandIns implements ConsumerPart {

	private Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public ClaimPace pace() {
		return new Stagger(this.scope.threads()::random);
	}

}
