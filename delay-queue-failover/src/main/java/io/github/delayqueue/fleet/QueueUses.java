package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.producer.ProducerPart;
import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.TaskStore;

/**
 * Lets others know which queues an instance uses without listeners: the names of those
 * that it schedules tasks in, and a trace of what it polls by hand. Public for wiring.
 */
public final class QueueUses implements ProducerPart {

	/** In case the store was emptied. */
	static final Duration ANNOUNCED_AGAIN = Duration.ofMinutes(1);

	/** Who polls by hand does so at any time: now and then, by a job perhaps. */
	private static final Duration POLLED_AGAIN = Duration.ofDays(1);

	private final LongSupplier nanoTime;

	private final Announcements announcements;

	private final ConsumerCheck consumerCheck;

	private final Presence presence;

	/** When each queue was polled first, and last. */
	private final KnownQueues<long[]> polled = new KnownQueues<>();

	public QueueUses(TaskStore store) {
		this(store, System::nanoTime);
	}

	QueueUses(TaskStore store, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.announcements = new Announcements(store, nanoTime, ANNOUNCED_AGAIN, KnownQueues.MOST);
		this.consumerCheck = new ConsumerCheck(store, nanoTime);
		this.presence = new Presence(store, nanoTime, "", "");
	}

	@Override
	public void begin() {
		this.presence.renew();
		this.announcements.forget();
	}

	@Override
	public void end() {
		this.consumerCheck.end();
	}

	@Override
	public void scheduled(String queue) {
		if (this.announcements.announce(queue)) {
			this.consumerCheck.check(queue);
		}
	}

	/** A queue is about to be polled by hand. Told with each claim. */
	public void polled(String queue) {
		long now = this.nanoTime.getAsLong();
		long[] times = this.polled.get(queue);
		if (times == null) {
			this.presence.changed();
		}
		this.polled.put(queue, new long[] { (times != null) ? times[0] : now, now });
		if (this.presence.isDue()) {
			this.presence.leave(POLLED_AGAIN, () -> this.polled.all()
				.entrySet()
				.stream()
				.map((entry) -> new Consumer(null, entry.getKey(), true, 0, null,
						this.presence.ago(entry.getValue()[0]), this.presence.ago(entry.getValue()[1]), List.of()))
				.toList());
		}
	}

}
