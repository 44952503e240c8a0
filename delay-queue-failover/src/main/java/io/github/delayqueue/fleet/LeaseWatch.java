package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.fleet.KnownHolders.Known;
import io.github.delayqueue.listener.ConsumerPart;

/**
 * Looks which instances are gone that hold leases of the queues of this one, and ends
 * these leases. One look is under way at a time, and none while nobody else holds any.
 * <p>
 * Only who has been missing in each of several looks is gone. The trouble of this
 * instance must not be taken for that of others: a look in which it is not counted
 * itself, that failed or that came late, makes all begin anew.
 */
final class LeaseWatch {

	private static final Logger logger = LoggerFactory.getLogger(LeaseWatch.class);

	/** Until this instance is counted. It asks nobody before that may be so. */
	private static final Duration FIRST_INTERVAL = Duration.ofMillis(100);

	private static final Duration MAX_INTERVAL = Duration.ofSeconds(1);

	/** Intervals that instance-timeout has. */
	private static final int INTERVALS = 6;

	/**
	 * Half intervals that nobody has to be missing for: one interval may pass before it
	 * is seen, and the rest is for claims and for handlers to begin.
	 */
	private static final int HALVES_LEFT = 5;

	/** So many may lie between two looks that say the same. */
	private static final int GAP = 2;

	/**
	 * Whose own subscription was made anew waits: perhaps all have been cut off. In a
	 * cluster these may be those at another node, so there the same nodes have to answer
	 * for as long. Twice as long as it takes to find that a connection is silent.
	 */
	static final Duration GRACE = Duration.ofSeconds(30);

	/** Who may not look tries again after that. */
	private static final Duration REFUSED = Duration.ofMinutes(1);

	private final ConsumerPart.Scope scope;

	private final @Nullable LeaseHolders holders;

	private final HolderName self;

	private final KnownHolders known = new KnownHolders();

	private final Duration instanceTimeout;

	/** Guarded by this. */
	private boolean ticking;

	private final AtomicBoolean refusalReported = new AtomicBoolean();

	private volatile boolean begun;

	/** Whether the store has begun to count this instance. */
	private volatile boolean entered;

	/** Whether it has done so and no look has seen it since. */
	private volatile boolean unchecked;

	/** Before that, by the local monotonic clock, nobody is gone. */
	private volatile @Nullable Long judgesFrom;

	/** Before that nobody is asked for. */
	private volatile @Nullable Long asksFrom;

	/** Used by one look at a time, as all below: since when who is missing. */
	private final Map<String, Long> missing = new HashMap<>();

	private final Set<String> seen = new HashSet<>();

	/** {@code null} if the last look failed. */
	private @Nullable Long lookedAt;

	/** The nodes of a cluster: one may have been away unnoticed. */
	private Set<String> places = Set.of();

	LeaseWatch(ConsumerPart.Scope scope, Supplier<String> instance, Duration instanceTimeout) {
		this.scope = scope;
		this.holders = scope.store().role(LeaseHolders.class);
		this.self = new HolderName(this.holders, this.known, instance, scope.threads()::nanoTime);
		this.instanceTimeout = instanceTimeout;
	}

	/** The name under which this instance holds leases. */
	HolderName self() {
		return this.self;
	}

	/** Who may hold leases. */
	KnownHolders known() {
		return this.known;
	}

	void heard(String queue, String source, List<String> holders) {
		if (this.begun) {
			this.known.heard(queue, source, holders);
		}
	}

	synchronized void begin() {
		if (this.holders == null || this.instanceTimeout.isZero() || this.begun) {
			return;
		}
		if (!this.ticking) {
			again(FIRST_INTERVAL);
			this.ticking = true;
		}
		this.entered = false;
		this.begun = true;
		this.self.enter((in) -> wake());
	}

	/** No listener claims any more. What they still hold is theirs, if they do. */
	void end(boolean empty) {
		this.begun = false;
		if (empty) {
			leave();
		}
	}

	/** Nobody of this instance holds anything. */
	synchronized void leave() {
		this.self.leave();
	}

	/** The store has begun to count this instance, be it anew. */
	private void wake() {
		if (this.entered) {
			this.judgesFrom = this.scope.threads().nanoTime() + GRACE.toNanos();
		}
		this.entered = true;
		this.unchecked = true;
	}

	private Duration interval() {
		Duration part = this.instanceTimeout.dividedBy(INTERVALS);
		return (part.compareTo(MAX_INTERVAL) < 0) ? part : MAX_INTERVAL;
	}

	/** For how long somebody has to be missing. */
	private long missingNanos() {
		return this.instanceTimeout.minus(interval().multipliedBy(HALVES_LEFT).dividedBy(2)).toNanos();
	}

	private boolean isBefore(@Nullable Long time, long now) {
		return time != null && now - time < 0;
	}

	private void tick() {
		Duration next = FIRST_INTERVAL;
		try {
			boolean looks = this.begun && !isBefore(this.asksFrom, this.scope.threads().nanoTime())
					&& (this.unchecked || !others().isEmpty() || this.self.isAtStake());
			next = (looks || this.self.isCounted()) ? interval() : FIRST_INTERVAL;
			next = looks ? ask() : next;
		}
		catch (RuntimeException | Error ex) {
			this.lookedAt = null;
			this.unchecked = true;
			failed(ex);
		}
		finally {
			again(next);
		}
	}

	private void again(Duration delay) {
		this.scope.threads().watch().schedule(this::tick, delay);
	}

	private void failed(Throwable error) {
		if (error instanceof DelayQueueException && !(error instanceof StoreUnavailableException)) {
			this.asksFrom = this.scope.threads().nanoTime() + REFUSED.toNanos();
			if (this.refusalReported.compareAndSet(false, true)) {
				logger.warn("Tasks of an instance that dies wait for their leases, because it cannot be told who is "
						+ "gone: {}. Allow the Redis user PUBSUB NUMSUB, or set delay-queue.listener.instance-timeout to 0",
						Names.printable(error));
			}
		}
		logger.debug("It could not be looked which instances are gone; it will be tried again", error);
	}

	/** Who else may hold leases. */
	private Set<String> others() {
		return this.known.all()
			.stream()
			.flatMap((known) -> known.holders().stream())
			.map(LeaseWatch::name)
			.filter((name) -> !name.equals(this.self.name()))
			.collect(Collectors.toCollection(HashSet::new));
	}

	/** The name of a holder without what follows it in tokens. */
	static String name(String holder) {
		return holder.substring(0, holder.length() - 1);
	}

	/** Ask who is there, and judge. Says when to ask again. */
	private Duration ask() {
		this.unchecked = false;
		this.known.retain(this.scope.consumers().get().stream().flatMap((consumer) -> consumer.sources().stream()));
		Set<String> names = others();
		names.add(this.self.name());
		long askedAt = this.scope.threads().nanoTime();
		Set<String> present = this.holders.present(names);
		long answeredAt = this.scope.threads().nanoTime();
		if (!present.contains(this.self.name())) {
			this.missing.clear();
			this.unchecked = true;
			this.self.unseen();
			return interval();
		}
		this.self.seen();
		Set<String> places = this.holders.places();
		if (this.lookedAt == null || askedAt - this.lookedAt > interval().toNanos() * GAP
				|| !places.equals(this.places)) {
			this.missing.clear();
			this.judgesFrom = places.isEmpty() ? this.judgesFrom : (Long) (answeredAt + GRACE.toNanos());
		}
		this.places = places;
		this.lookedAt = answeredAt;
		this.seen.retainAll(names);
		this.seen.addAll(present);
		this.missing.keySet().retainAll(names);
		this.missing.keySet().removeAll(present);
		names.stream()
			.filter((name) -> !present.contains(name))
			.forEach((name) -> this.missing.putIfAbsent(name, answeredAt));
		return isBefore(this.judgesFrom, askedAt) ? interval() : judge(askedAt, answeredAt);
	}

	private Duration judge(long askedAt, long answeredAt) {
		long next = interval().toNanos();
		Map<String, Map<String, Integer>> ended = new LinkedHashMap<>();
		List<String> strangers = new ArrayList<>();
		for (String name : this.missing.keySet()) {
			long since = askedAt - this.missing.get(name);
			long left = missingNanos() - since;
			String counted = name + LeaseHolders.COUNTED;
			String uncounted = name + LeaseHolders.UNCOUNTED;
			if (left > 0) {
				next = Math.min(next, Math.max(left - (this.scope.threads().nanoTime() - askedAt), 1_000_000));
			}
			else if (this.seen.contains(name) || this.known.of(counted).findAny().isPresent()) {
				ended.put(name, takeOver(name, this.known.of(counted, uncounted).toList(), answeredAt));
			}
			else if (since > GRACE.toNanos()) {
				// nobody could say that it is gone: perhaps it has ended before it was
				// counted
				strangers.add(uncounted);
			}
		}
		ended.forEach(this::report);
		// last, because it may fail
		strangers.forEach((stranger) -> this.known.of(stranger)
			.toList()
			.forEach((one) -> this.self.forget(one.source(), stranger)));
		return Duration.ofNanos(next);
	}

	/** As long as the answer is fresh: it may be back. Counts leases by queue. */
	private Map<String, Integer> takeOver(String name, List<Known> all, long answeredAt) {
		Map<String, Integer> ended = new LinkedHashMap<>();
		for (Known held : all) {
			if (this.scope.threads().nanoTime() - answeredAt > interval().toNanos() * GAP) {
				break;
			}
			try {
				int tasks = this.holders.takeOver(held.source(), name);
				this.known.forget(held.source(), name + LeaseHolders.COUNTED);
				this.known.forget(held.source(), name + LeaseHolders.UNCOUNTED);
				if (tasks > 0) {
					ended.merge(held.queue(), tasks, Integer::sum);
				}
			}
			catch (DelayQueueException ex) {
				logger.debug("Leases of one who is gone could not be ended; it will be tried again", ex);
			}
		}
		return ended;
	}

	private void report(String name, Map<String, Integer> ended) {
		if (ended.isEmpty()) {
			return;
		}
		String instance = describe(name);
		ended.forEach((queue, tasks) -> {
			logger.warn(
					"Instance {} is gone: its leases of {} tasks of queue '{}' are ended, so they are delivered again",
					instance, tasks, queue);
			this.scope.events().publish((listener) -> listener.onTakeOver(queue, instance, tasks));
		});
	}

	/** Its host and process, if it has left a trace. */
	private String describe(String name) {
		try {
			return Consumers.holder(this.scope.store(), name)
				.map((instance) -> Names.printableText(instance.trace().host()) + " (process " + instance.trace().pid()
						+ ")")
				.orElse(name);
		}
		catch (DelayQueueException ex) {
			logger.debug("It cannot be looked where instance {} was", name, ex);
			return name;
		}
	}

}
