package io.github.delayqueue.fleet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.TaskStore;

/** Leaves the trace of this instance now and then; a failure does not matter. */
final class Presence {

	static final Duration EVERY = Duration.ofSeconds(10);

	/** After what time there is another one, though it may be late. */
	static final Duration LATEST = EVERY.multipliedBy(2);

	/** Whoever comes or goes is told of after this time at the earliest. */
	private static final Duration SOON = Duration.ofSeconds(1);

	/** Enough to tell instances apart, and few for each delivery in the store. */
	private static final int HOLDER_DIGITS = 12;

	/** Of an id, before its first hyphen. */
	private static final int FIRST_DIGITS = 8;

	/** Asked for once, and not before it is needed: that may take a while. */
	private static final SingletonSupplier<String> HOST = SingletonSupplier.of(Presence::findHost);

	private static final Logger logger = LoggerFactory.getLogger(Presence.class);

	private final InstanceTraces store;

	private final LongSupplier nanoTime;

	private volatile String id = UUID.randomUUID().toString();

	private final long startedAt;

	private final AtomicBoolean refused = new AtomicBoolean();

	private final String application;

	private final String applicationVersion;

	private boolean changed = true;

	private long lastAt;

	Presence(TaskStore store, LongSupplier nanoTime, String application, String applicationVersion) {
		this.application = application;
		this.applicationVersion = applicationVersion;
		this.store = InstanceTraces.of(store);
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
		this.lastAt = this.startedAt - EVERY.toNanos();
	}

	String id() {
		return this.id;
	}

	/**
	 * Be another instance from now on: this process may be a copy of another one. Not
	 * while it holds tasks, because its leases are in its name.
	 */
	void renew() {
		this.id = UUID.randomUUID().toString();
		changed();
	}

	/** The name of an instance as holder of leases. */
	static String holderOf(String id) {
		return id.replace("-", "").substring(0, HOLDER_DIGITS);
	}

	/** What the id of a holder of leases begins with. */
	static String idPrefixOf(String holder) {
		return (holder.length() > FIRST_DIGITS)
				? holder.substring(0, FIRST_DIGITS) + "-" + holder.substring(FIRST_DIGITS) : holder;
	}

	/** Leave a trace soon, because the consumers of this instance have changed. */
	synchronized void changed() {
		this.changed = true;
	}

	/** If so, the caller leaves one. */
	synchronized boolean isDue() {
		long now = this.nanoTime.getAsLong();
		if (now - this.lastAt < (this.changed ? SOON : EVERY).toNanos()) {
			return false;
		}
		this.changed = false;
		this.lastAt = now;
		return true;
	}

	/** Never throws; the latest time is zero if this instance is shut down. */
	void leave(Duration latest, Supplier<List<Consumer>> consumers) {
		try {
			List<Consumer> all = consumers.get();
			boolean complete = all.size() <= InstanceTrace.MAX_CONSUMERS;
			this.store.attend(this.id,
					new InstanceTrace(HOST.get(), ProcessHandle.current().pid(), this.application,
							this.applicationVersion, version(), ago(this.startedAt), latest, complete, latest.isZero(),
							complete ? all : all.subList(0, InstanceTrace.MAX_CONSUMERS))
						.write());
		}
		catch (RuntimeException | Error ex) {
			if (ex instanceof DelayQueueException && !(ex instanceof StoreUnavailableException)
					&& this.refused.compareAndSet(false, true)) {
				logger.warn(
						"Other instances do not see what this one consumes, which goes on: {}. Allow the Redis user the key 'instances' below "
								+ "delay-queue.key-prefix",
						Names.printable(ex));
			}
			logger.debug("The trace of this instance could not be written; it goes on consuming", ex);
		}
	}

	/** For how long something has been so. */
	Duration ago(long at) {
		return Duration.ofNanos(Math.max(0, this.nanoTime.getAsLong() - at));
	}

	private static String version() {
		String version = Presence.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "";
	}

	private static String findHost() {
		String name = System.getenv("HOSTNAME");
		try {
			return (name != null && !name.isEmpty()) ? name : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "";
		}
	}

}
