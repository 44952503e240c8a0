package io.github.delayqueue.standin;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ClaimPace;
import io.github.delayqueue.listener.ConsumerPart;

/** Lets consumers that have rivals stand in for each other. For wiring. */
public final class StandIns implements ConsumerPart {

	private @Nullable Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public ClaimPace pace() {
		return new Stagger(Objects.requireNonNull(this.scope).threads()::random);
	}

}
