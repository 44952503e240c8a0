package io.github.delayqueue.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.run.InstanceTrace.Consumer;
import io.github.delayqueue.store.TaskStore;

/**
 * Leaves the trace of this instance in the store now and then. Nothing depends on it, so
 * a failure does not matter. For wiring. Thread-safe.
 */
public final class Presence {

	/** How often a trace is left. */
	public static final Duration EVERY = Duration.ofSeconds(20);

	/** Whoever comes or goes is told of after this time at the earliest. */
	private static final Duration SOON = Duration.ofSeconds(1);

	/** Asked for once, and not before it is needed: that may take a while. */
	private static final SingletonSupplier<String> HOST = SingletonSupplier.of(Presence::findHost);

	private static final Logger logger = LoggerFactory.getLogger(Presence.class);

	private final TaskStore store;

	private final LongSupplier nanoTime;

	private final String id = UUID.randomUUID().toString();

	private final long startedAt;

	private boolean begun;

	private boolean changed = true;

	private long lastAt;

	public Presence(TaskStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
	}

	/** Leave a trace soon, because the consumers of this instance have changed. */
	public synchronized void changed() {
		this.changed = true;
	}

	/**
	 * Whether it is time to leave a trace. If so, the caller does it by
	 * {@link #leave(Duration, Supplier)}.
	 */
	public synchronized boolean isDue() {
		long now = this.nanoTime.getAsLong();
		if (this.begun && now - this.lastAt < (this.changed ? SOON : EVERY).toNanos()) {
			return false;
		}
		this.begun = true;
		this.changed = false;
		this.lastAt = now;
		return true;
	}

	/**
	 * Leave a trace. Never throws.
	 * @param longest how long it may be until the next time that somebody asks
	 * {@link #isDue()}
	 */
	public void leave(Duration longest, Supplier<List<Consumer>> consumers) {
		try {
			List<Consumer> all = consumers.get();
			boolean complete = all.size() <= InstanceTrace.MAX_CONSUMERS;
			this.store.attend(this.id,
					new InstanceTrace(HOST.get(), ProcessHandle.current().pid(), version(), ago(this.startedAt),
							(longest.compareTo(EVERY) > 0) ? longest : EVERY, complete,
							complete ? all : all.subList(0, InstanceTrace.MAX_CONSUMERS))
						.write());
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The trace of this instance could not be written; it goes on consuming", ex);
		}
	}

	/** For how long something has been so. */
	public Duration ago(long at) {
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
