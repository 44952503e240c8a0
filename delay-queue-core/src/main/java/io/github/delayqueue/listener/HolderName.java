package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.run.Presence;
import io.github.delayqueue.store.LeaseHolders;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * The name under which this instance holds leases. It has one only while the store counts
 * it, because others end the leases of a name that they miss.
 */
final class HolderName {

	private static final Logger logger = LoggerFactory.getLogger(HolderName.class);

	/** Twice as long as it takes to find that a connection is silent. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final LeaseHolders holders;

	private final Presence presence;

	private final LongSupplier nanoTime;

	private final Supplier<Stream<Claims>> claims;

	private volatile String name;

	private volatile String counted;

	private volatile String uncounted;

	private @Nullable WakeSubscription subscription;

	/** Whether it has been counted since it entered. */
	private volatile boolean known;

	/** Used by one look at a time, as all below: who does not say that it is counted. */
	private final Set<Claims> unnoted = new HashSet<>();

	/** Since when it is not counted any more, or has last tried to be. */
	private @Nullable Long lostAt;

	private boolean lossReported;

	HolderName(LeaseHolders holders, Presence presence, LongSupplier nanoTime, Supplier<Stream<Claims>> claims) {
		this.holders = holders;
		this.presence = presence;
		this.nanoTime = nanoTime;
		this.claims = claims;
		draw();
	}

	private void draw() {
		this.name = Presence.holderOf(this.presence.id());
		this.counted = this.name + LeaseHolders.COUNTED;
		this.uncounted = this.name + LeaseHolders.UNCOUNTED;
	}

	/** Without what follows it in tokens. */
	String name() {
		return this.name;
	}

	/** Be counted from now on. */
	synchronized void enter(WakeListener listener) {
		leave();
		draw();
		this.known = false;
		this.presence.setHolder(this.uncounted);
		try {
			this.subscription = this.holders.enter(this.name, listener);
		}
		catch (RuntimeException ex) {
			logger.debug("This instance is not counted: its leases have to run out", ex);
		}
	}

	/** Nobody of this instance holds anything. */
	synchronized void leave() {
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
			this.presence.setHolder("");
		}
	}

	/** Not by a look that ends after the instance has left. */
	private synchronized void set(String holder) {
		if (this.subscription != null) {
			this.presence.setHolder(holder);
		}
	}

	/** Whether it has seen that it is counted. */
	boolean isCounted() {
		return this.presence.holder().equals(this.counted);
	}

	/** Whether it has to see that it still is, or is again, even if nobody else is. */
	boolean isAtStake() {
		return this.lostAt != null || isCounted() && this.claims.get().anyMatch(this::isHolder);
	}

	private boolean isHolder(Claims claims) {
		return claims.holders().contains(this.counted) || claims.holders().contains(this.uncounted);
	}

	/** The store counts this instance: it may be missed wherever it holds leases. */
	void seen() {
		this.known = true;
		this.lostAt = null;
		this.lossReported = false;
		set(this.counted);
		if (isCounted()) {
			this.claims.get().filter((each) -> each.holders().contains(this.uncounted)).forEach(this.unnoted::add);
			List.copyOf(this.unnoted).forEach(this::note);
		}
	}

	private void note(Claims claims) {
		this.holders.counted(claims.source(), this.name);
		claims.renameHolder(this.uncounted, this.counted);
		this.unnoted.remove(claims);
	}

	/**
	 * The store answers, and does not count this instance. Others see the same: unless it
	 * takes its name back, they end its leases.
	 */
	void unseen() {
		if (!this.known) {
			set(this.uncounted);
			return;
		}
		set("");
		this.claims.get().filter(this::isHolder).forEach(this::withdraw);
		long now = this.nanoTime.getAsLong();
		if (this.lostAt != null && now - this.lostAt < PATIENCE.toNanos()) {
			return;
		}
		if (this.lostAt != null && !this.lossReported) {
			this.lossReported = true;
			logger.warn(
					"Redis answers this instance, but has not counted it as connected for {}: if it dies, its "
							+ "tasks wait for their leases. It subscribes anew until that succeeds",
					Names.printable(PATIENCE));
		}
		this.lostAt = now;
		this.holders.renew();
	}

	private void withdraw(Claims claims) {
		this.unnoted.add(claims);
		Stream.of(this.counted, this.uncounted)
			.filter(claims.holders()::contains)
			.forEach((holder) -> forget(claims, holder));
	}

	/** Nobody is to look for it there. */
	void forget(Claims claims, String holder) {
		this.holders.forget(claims.source(), holder);
		claims.forgetHolder(holder);
	}

}
