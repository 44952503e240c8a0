package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.TaskStore;

/**
 * The leases of one container on tasks of one source: extends those of all held tasks, in
 * one call, at a third of their lease duration. While tasks are held it ticks on a thread
 * that neither claims nor handlers use, and lets others tick along, also while an
 * extension gets no answer.
 */
final class Leases {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private static final long MIN_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private final SourceCalls calls;

	private final Duration timeout;

	/** Called now and then while tasks are held. */
	private final Runnable onTick;

	private final Set<HeldTask> held = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean ticking = new AtomicBoolean();

	/** Held by the one extension that waits for a thread or is under way. */
	private final AtomicBoolean extending = new AtomicBoolean();

	private volatile boolean failing;

	/** When the last check began, of the local monotonic clock. */
	private volatile @Nullable Long checkedAt;

	Leases(SourceCalls calls, Duration timeout, Runnable onTick) {
		this.calls = calls;
		this.timeout = timeout;
		this.onTick = onTick;
	}

	void add(List<HeldTask> claimed) {
		this.held.addAll(claimed);
		Long checkedAt = this.checkedAt;
		if (checkedAt != null && !claimed.isEmpty() && claimed.get(0).claimedAt() - checkedAt <= 0) {
			// the answer to the claim was on its way
			claimed.forEach(HeldTask::check);
		}
		tickWhileHeld();
	}

	/** Ask the store soon which tasks are still held. */
	void check() {
		this.checkedAt = this.calls.threads().nanoTime();
		this.held.forEach(HeldTask::check);
	}

	void remove(HeldTask settled) {
		this.held.remove(settled);
	}

	/** Number of tasks that are claimed and not settled. */
	int size() {
		return this.held.size();
	}

	private void tick() {
		try {
			if (!this.extending.get()) {
				extendWhatIsDue();
			}
			this.onTick.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("Watching over the leases of queue '{}' failed; it goes on", this.calls.queue(), ex);
		}
		finally {
			this.ticking.set(false);
			tickWhileHeld();
		}
	}

	private void tickWhileHeld() {
		if (!this.held.isEmpty() && this.ticking.compareAndSet(false, true)) {
			long leaseDuration = this.held.stream()
				.mapToLong((task) -> task.leaseDuration().toNanos())
				.min()
				.orElse(Long.MAX_VALUE);
			Duration tick = Duration.ofNanos(tickNanos(leaseDuration, this.timeout));
			try {
				this.calls.threads().extensions().schedule(this::tick, tick);
			}
			catch (RuntimeException | Error ex) {
				this.ticking.set(false);
				throw ex;
			}
		}
	}

	/** How often to look, for tasks with the given lease duration. */
	static long tickNanos(long leaseNanos, Duration timeout) {
		return Math.max(MIN_TICK_NANOS, Math.min(MAX_TICK_NANOS, Math.min(timeout.toNanos() / 5, leaseNanos / 6)));
	}

	private void extendWhatIsDue() {
		long now = this.calls.threads().nanoTime();
		List<HeldTask> due = this.held.stream().filter((task) -> task.isExtensionDue(now)).toList();
		if (!due.isEmpty() && this.extending.compareAndSet(false, true)) {
			Runnable call = () -> extendAll(due);
			if (!this.calls.threads().extensions().handOver(call, this.calls.suspect().get())) {
				call.run();
			}
		}
	}

	private void extendAll(List<HeldTask> wereDue) {
		try {
			// others were settled, maybe, while this waited for a thread
			List<HeldTask> due = wereDue.stream().filter(this.held::contains).toList();
			for (int i = 0; i < due.size(); i += TaskStore.MAX_BATCH) {
				extend(due.subList(i, Math.min(i + TaskStore.MAX_BATCH, due.size())));
			}
		}
		finally {
			this.extending.set(false);
		}
	}

	private void extend(List<HeldTask> tasks) {
		long sentAt = this.calls.threads().nanoTime();
		List<Extension> extensions = tasks.stream()
			.map((task) -> new Extension(task.id(), task.token(), task.extension(sentAt)))
			.toList();
		try {
			List<Boolean> applied = this.calls.store().extend(this.calls.source(), extensions);
			for (int i = 0; i < tasks.size(); i++) {
				HeldTask task = tasks.get(i);
				if (applied.get(i)) {
					task.extendedAt(sentAt, extensions.get(i).leaseDuration());
				}
				else if (this.held.contains(task)) {
					task.loseLease();
				}
			}
			this.failing = false;
			this.calls.suspect().set(false);
		}
		catch (RuntimeException | Error ex) {
			this.calls.suspect().set(true);
			long now = this.calls.threads().nanoTime();
			// not before others have had the thread for as long as this took
			long took = now - sentAt;
			for (HeldTask task : tasks) {
				long leaseDuration = task.leaseDuration().toNanos();
				long pause = Math.max(took, Math.min(leaseDuration / 10, MAX_TICK_NANOS));
				task.tryAgainAt(now + Math.min(pause, leaseDuration / 4));
			}
			if (!this.failing) {
				this.failing = true;
				logger.warn(
						"Leases of queue '{}' could not be extended; it will be tried again until they run out, "
								+ "after which the tasks are delivered again: {}",
						this.calls.queue(), Names.printable(ex));
			}
		}
	}

}
