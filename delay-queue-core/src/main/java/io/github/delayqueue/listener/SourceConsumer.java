package io.github.delayqueue.listener;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.WakeSubscription;

/**
 * What a container has for each source of its queue: claims, leases and settlements, so
 * that a source that cannot be reached concerns no other.
 */
final class SourceConsumer {

	private static final Logger logger = LoggerFactory.getLogger(SourceConsumer.class);

	private final SourceCalls calls;

	private final Leases leases;

	private final SourceSettlements settlements;

	private final Claims claims;

	private final Claims.Shared shared;

	private @Nullable WakeSubscription subscription;

	SourceConsumer(SourceCalls calls, Claims.Shared shared, Runnable onTick) {
		this.calls = calls;
		this.shared = shared;
		this.leases = new Leases(calls, shared.options().handlerTimeout(), onTick);
		this.settlements = new SourceSettlements(calls, this.leases);
		this.claims = new Claims(calls, shared, this.leases, this.settlements);
	}

	Leases leases() {
		return this.leases;
	}

	SourceSettlements settlements() {
		return this.settlements;
	}

	Claims claims() {
		return this.claims;
	}

	void start() {
		this.subscription = subscribe();
		this.claims.start();
	}

	private @Nullable WakeSubscription subscribe() {
		try {
			return this.calls.store().subscribe(this.calls.source(), this.claims);
		}
		catch (RuntimeException ex) {
			logger.warn("Listener '{}' gets no wake messages for '{}'; it asks for tasks every {}: {}",
					this.shared.listenerId(), this.calls.source(),
					Names.printable(this.shared.options().pollInterval()), Names.printable(ex));
			logger.debug("Stack trace of the failed subscription of listener '{}'", this.shared.listenerId(), ex);
			return null;
		}
	}

	/** Claim no more. A claim under way goes on. */
	void stop() {
		this.claims.stop();
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
		}
	}

}
