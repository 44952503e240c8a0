package io.github.delayqueue.histogram;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.listener.ConsumerPart;

/**
 * Counts how late the handlers of this instance begin, and how long they take, and adds
 * that to what others have counted, twice a minute. A task pays two additions in memory.
 * Nothing depends on it, so a failure does not matter. Public for wiring.
 */
public final class HandlerTimes implements ConsumerPart, TaskEventListener {

	static final Duration EVERY = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(HandlerTimes.class);

	/** A last word is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	/** Of each queue: lateness, then handling. */
	private final Map<String, AtomicLongArray> counts = new ConcurrentHashMap<>();

	private volatile boolean ticking;

	private Scope scope;

	/** A store that keeps none has not this role. */
	private @Nullable RedisHistograms store;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
		this.store = scope.store().role(RedisHistograms.class);
	}

	/** An application that only schedules has no thread for it. */
	@Override
	public synchronized void started(Consumer consumer) {
		if (this.store != null && !this.ticking) {
			this.scope.threads().watch().schedule(this::tick, EVERY);
			this.ticking = true;
		}
	}

	private void tick() {
		this.scope.threads().watch().schedule(this::tick, EVERY);
		tell();
	}

	@Override
	public void stopped(boolean empty) {
		if (this.ticking) {
			Future<?> told = this.scope.threads().watch().schedule(this::tell, Duration.ZERO);
			this.scope.threads().await(told::isDone, LAST_WORD);
		}
	}

	@Override
	public void onStart(String queue, String taskId, Duration lateness) {
		count(queue, Histograms.place(lateness));
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		if (!took.isZero()) {
			count(queue, Histograms.SIZE + Histograms.place(took));
		}
	}

	private void count(String queue, int place) {
		AtomicLongArray counts = this.counts.get(queue);
		if (counts == null) {
			counts = this.counts.computeIfAbsent(queue, (key) -> new AtomicLongArray(2 * Histograms.SIZE));
		}
		counts.incrementAndGet(place);
	}

	private void tell() {
		this.counts.forEach((queue, counts) -> {
			long[] added = IntStream.range(0, counts.length())
				.mapToLong((place) -> counts.getAndSet(place, 0))
				.toArray();
			try {
				if (LongStream.of(added).sum() > 0) {
					this.store.add(queue, added);
				}
			}
			catch (RuntimeException ex) {
				// told with the next ones; twice, if only the answer is lost
				IntStream.range(0, added.length).forEach((place) -> counts.addAndGet(place, added[place]));
				logger.debug(
						"The times of handlers of queue '{}' are not known to others yet; its tasks are not affected",
						queue, ex);
			}
		});
	}

}
