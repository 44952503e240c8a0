package io.github.delayqueue.fleet;

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

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * The name under which this instance holds leases. It has one only while the store counts
 * it, because others end the leases of a name that they miss. Thread-safe, except for
 * what one look at a time does.
 */
final class HolderName {

	private static final Logger logger = LoggerFactory.getLogger(HolderName.class);

	/** Twice as long as it takes to find that a connection is silent. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final LeaseHolders holders;

	private final KnownHolders known;

	private final Supplier<String> instance;

	private final LongSupplier nanoTime;

	private volatile String name;

	private volatile String counted;

	private volatile String uncounted;

	/** What tokens begin with; empty if its leases have to run out. */
	private volatile String prefix = "";

	private @Nullable WakeSubscription subscription;

	/** Whether it has been counted since it entered. */
	private volatile boolean everCounted;

	/** Used by one look at a time, as all below: sources that do not know it counted. */
	private final Set<String> unnoted = new HashSet<>();

	/** Since when it is not counted any more, or has last tried to be. */
	private @Nullable Long lostAt;

	private boolean lossReported;

	HolderName(LeaseHolders holders, KnownHolders known, Supplier<String> instance, LongSupplier nanoTime) {
		this.holders = holders;
		this.known = known;
		this.instance = instance;
		this.nanoTime = nanoTime;
		draw();
	}

	private void draw() {
		this.name = Presence.holderOf(this.instance.get());
		this.counted = this.name + LeaseHolders.COUNTED;
		this.uncounted = this.name + LeaseHolders.UNCOUNTED;
	}

	/** What the tokens of this instance begin with, empty if leases have to run out. */
	String prefix() {
		return this.prefix;
	}

	/** Without what follows it in tokens. */
	String name() {
		return this.name;
	}

	/** Be counted from now on. */
	synchronized void enter(WakeListener listener) {
		leave();
		draw();
		this.everCounted = false;
		this.prefix = this.uncounted;
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
			this.prefix = "";
		}
	}

	/** Not by a look that ends after the instance has left. */
	private synchronized void set(String prefix) {
		if (this.subscription != null) {
			this.prefix = prefix;
		}
	}

	/** Whether it has seen that it is counted. */
	boolean isCounted() {
		return this.prefix.equals(this.counted);
	}

	/** Whether it has to see that it still is, or is again, even if nobody else is. */
	boolean isAtStake() {
		return this.lostAt != null || isCounted() && this.known.of(this.counted, this.uncounted).findAny().isPresent();
	}

	/** The store counts this instance: it may be missed wherever it holds leases. */
	void seen() {
		this.everCounted = true;
		this.lostAt = null;
		this.lossReported = false;
		set(this.counted);
		if (isCounted()) {
			this.known.of(this.uncounted).forEach((source) -> this.unnoted.add(source.source()));
			List.copyOf(this.unnoted).forEach(this::note);
		}
	}

	private void note(String source) {
		if (isNoted(() -> this.holders.counted(source, this.name))) {
			this.known.rename(source, this.uncounted, this.counted);
			this.unnoted.remove(source);
		}
	}

	/** What one source refuses concerns no other, and the next look tries it again. */
	private static boolean isNoted(Runnable note) {
		try {
			note.run();
			return true;
		}
		catch (StoreUnavailableException ex) {
			// others would be waited for as long
			throw ex;
		}
		catch (DelayQueueException ex) {
			logger.debug("It could not be noted who holds leases; it will be tried again", ex);
			return false;
		}
	}

	/** Unless it takes its name back, others end its leases: they see the same. */
	void unseen() {
		if (!this.everCounted) {
			set(this.uncounted);
			return;
		}
		set("");
		this.known.of(this.counted, this.uncounted).toList().forEach(this::withdraw);
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

	private void withdraw(KnownHolders.Known known) {
		this.unnoted.add(known.source());
		Stream.of(this.counted, this.uncounted)
			.filter(known::names)
			.forEach((holder) -> forget(known.source(), holder));
	}

	/** Nobody is to look for it there. */
	void forget(String source, String holder) {
		if (isNoted(() -> this.holders.forget(source, holder))) {
			this.known.forget(source, holder);
		}
	}

}
