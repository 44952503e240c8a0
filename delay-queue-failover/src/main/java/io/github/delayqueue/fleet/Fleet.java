package io.github.delayqueue.fleet;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.store.ClaimResult;

/**
 * Makes an instance one of many: it is known to others by a trace and by the queues that
 * it consumes. It holds its leases in a name, and ends those of instances that are gone.
 * Public for wiring.
 */
public final class Fleet implements ConsumerPart {

	/** How soon an instance that died is replaced by default. */
	static final Duration INSTANCE_TIMEOUT = Duration.ofSeconds(3);

	/** In case the store was emptied: there may be thousands of listeners. */
	static final Duration ANNOUNCED_AGAIN = Duration.ofMinutes(5);

	private final String application;

	private final String applicationVersion;

	private final Duration instanceTimeout;

	private Scope scope;

	private Presence presence;

	private LeaseWatch watch;

	private InstanceBeats beats;

	private Announcements announcements;

	/**
	 * Create the part.
	 * @param application name of the application, empty if it has none
	 * @param applicationVersion its version, empty if it is not known
	 * @param instanceTimeout how soon an instance that died is replaced
	 */
	public Fleet(String application, String applicationVersion, Duration instanceTimeout) {
		this.application = application;
		this.applicationVersion = applicationVersion;
		this.instanceTimeout = instanceTimeout;
	}

	@Override
	public void join(Scope scope) {
		this.scope = scope;
		this.presence = new Presence(scope.store(), scope.threads()::nanoTime, this.application,
				this.applicationVersion);
		this.watch = new LeaseWatch(scope, this.presence::id, this.instanceTimeout);
		this.beats = new InstanceBeats(this.presence, scope);
		this.announcements = new Announcements(scope.store(), scope.threads()::nanoTime, ANNOUNCED_AGAIN,
				Integer.MAX_VALUE);
	}

	@Override
	public String instance() {
		return this.presence.id();
	}

	@Override
	public String tokenPrefix() {
		return this.watch.self().prefix();
	}

	@Override
	public void begin(boolean anew) {
		if (anew) {
			this.presence.renew();
		}
		if (!this.scope.consumers().get().isEmpty()) {
			this.beats.begin();
		}
	}

	@Override
	public void started(Consumer consumer) {
		// not before: to schedule, an instance needs no subscription
		this.watch.begin();
		this.presence.changed();
	}

	@Override
	public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
		if (result != null) {
			this.watch.heard(consumer.endpoint().queue(), source, result.notes().holders());
		}
		if (source.equals(consumer.endpoint().queue())) {
			this.announcements.announce(source);
		}
	}

	@Override
	public void stopped(Consumer consumer) {
		this.presence.changed();
		this.announcements.forget(consumer.endpoint().queue());
	}

	@Override
	public void stopping() {
		this.beats.end();
	}

	@Override
	public void stopped(boolean empty) {
		this.watch.end(empty);
		this.beats.await();
	}

	@Override
	public void end() {
		this.watch.leave();
	}

}
