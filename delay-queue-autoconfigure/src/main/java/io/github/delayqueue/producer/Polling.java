package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimRequest.LastChance;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.Partitions;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Claims tasks by hand and settles them. Thread-safe.
 */
final class Polling {

	private static final Logger logger = LoggerFactory.getLogger(Polling.class);

	private static final int OLDEST_FIRST_EVERY = 8;

	/** Whoever has a row for a moment is waited for, for a second in all. */
	private static final RetryTemplate HELD_BACK = new RetryTemplate(RetryPolicy.builder()
		.includes(PartlySettledException.class)
		.maxRetries(20)
		.delay(Duration.ofMillis(50))
		.build());

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final Function<String, QueueOptions> settings;

	private final String tokenPrefix = Base62.random(10) + "-";

	private final AtomicLong calls = new AtomicLong();

	Polling(TaskStore store, TaskCodec codec, TaskEvents events, Function<String, QueueOptions> settings) {
		this.store = store;
		this.codec = codec;
		this.events = events;
		this.settings = settings;
	}

	List<ClaimedTask> poll(String queue, int limit, Duration ttr) {
		long call = this.calls.incrementAndGet();
		List<String> partitions = this.store.partitions(queue);
		List<ClaimedTask> tasks = new ArrayList<>();
		for (int i = 0; i < partitions.size() && tasks.size() < limit; i++) {
			String partition = partitions.get((int) ((call + i) % partitions.size()));
			try {
				tasks.addAll(poll(partition, call, limit - tasks.size(), ttr));
			}
			catch (RuntimeException ex) {
				if (tasks.isEmpty()) {
					throw ex;
				}
				// what the others gave must not be lost
				logger.warn("Polling queue '{}' ends early: partition {} failed: {}", queue, partition,
						Names.printable(ex));
				logger.debug("Where polling queue '{}' ends early", queue, ex);
				break;
			}
		}
		return tasks;
	}

	private List<ClaimedTask> poll(String partition, long call, int limit, Duration ttr) {
		String queue = Partitions.queue(partition);
		String token = this.tokenPrefix + Long.toString(call, 36);
		QueueOptions settings = this.settings.apply(queue);
		ClaimResult result = claim(partition,
				new ClaimRequest(token, limit, limit, ttr, ClaimRequest.DEFAULT_MAX_BYTES,
						call % OLDEST_FIRST_EVERY == 0, settings.retention(), settings.limits(),
						new LastChance(settings.maxExpiries(), true)));
		report(queue, result);
		List<ClaimedTask> tasks = new ArrayList<>(result.tasks().size());
		List<PolledTask> late = new ArrayList<>();
		Map<PolledTask, TaskFailure> dead = new LinkedHashMap<>();
		for (ClaimedRecord record : result.tasks()) {
			TaskContent content = TaskContent.read(this.codec, queue, record.id(), record.envelope());
			PolledTask task = new PolledTask(this, partition, token, record, content, result.now());
			TaskFailure failure = TaskFailure.ofClaimed(record.id(), record.expiries(), settings.maxExpiries(),
					result.now());
			if (failure != null) {
				dead.put(task, failure);
				continue;
			}
			Duration expiresAfter = (content.options().expiresAfter() != null) ? content.options().expiresAfter()
					: settings.expiresAfter();
			Duration lateness = Duration.between(record.dueAt(), result.now());
			boolean expired = expiresAfter != null && lateness.compareTo(expiresAfter) > 0;
			try {
				if (expired || task.isSkipped()) {
					late.add(task);
					continue;
				}
			}
			catch (RuntimeException ex) {
				logger.warn(
						"Task '{}' of queue '{}' is a retry, and it cannot be found out of what run; it will be "
								+ "claimed again when its lease runs out: {}",
						Names.printable(task.id()), queue, Names.printable(ex));
				continue;
			}
			this.events.publish((listener) -> listener.onStart(queue, record.id(), lateness));
			tasks.add(task);
		}
		late.forEach((task) -> giveUp(task, "is too late", () -> giveUpLate(task)));
		dead.forEach((task, failure) -> giveUp(task, "must not be handed out", () -> bury(task, false, failure)));
		return tasks;
	}

	/** A failure must not cost the caller the other tasks that were claimed. */
	private static void giveUp(PolledTask task, String why, Runnable end) {
		try {
			end.run();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Task '{}' of queue '{}' {} but could not be given up; it will be claimed again "
							+ "when its lease runs out: {}",
					Names.printable(task.id()), task.queue(), why, Names.printable(ex));
		}
	}

	private void giveUpLate(PolledTask task) {
		Instant next = task.nextRun();
		if (next == null) {
			bury(task, false, expired(task));
		}
		else if (task.isSkipped() && !task.isBegun()) {
			settle(task, Settlement.skip(task.id(), task.token(), false, null, next), null, null);
		}
		else {
			TaskFailure failure = expired(task);
			settle(task, Settlement.skip(task.id(), task.token(), false, this.codec.writeFailure(failure), next),
					DeliveryOutcome.FAILED, failure);
		}
	}

	private static TaskFailure expired(PolledTask task) {
		return task.failure(DeadReason.EXPIRED,
				task.isSkipped()
						? "It was begun, and was not tried again before the time of the run after it: missed runs are "
								+ "skipped (onMissed)"
						: "Overdue by more than expires-after when claimed");
	}

	/** The time of a run that has failed before is with the failure. */
	Instant runAt(PolledTask task) {
		try {
			return this.store.find(task.queue(), task.id())
				.map(StoredTask::failure)
				.map((failure) -> this.codec.readFailure(failure).runAt())
				.orElse(task.dueAt());
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, task.queue(), task.id());
		}
	}

	private ClaimResult claim(String partition, ClaimRequest request) {
		try {
			return this.store.claim(partition, request);
		}
		catch (RuntimeException ex) {
			this.events.publish((listener) -> listener.onPollError(Partitions.queue(partition), ex));
			throw ex;
		}
	}

	private void report(String queue, ClaimResult result) {
		for (ClaimedRecord record : result.tasks()) {
			if (record.leaseExpired()) {
				this.events.publish((listener) -> listener.onLeaseExpired(queue, record.id(), record.expiries()));
			}
		}
		if (!result.purged().isEmpty()) {
			logger.warn(
					"{} dead tasks of queue '{}' were removed because dead-letter.max-size or "
							+ "dead-letter.retention says so: {}",
					result.purged().size(), queue, Names.printable(result.purged()));
			this.events.publish((listener) -> listener.onPurge(queue, result.purged()));
		}
		if (!result.orphans().isEmpty()) {
			logger.error("{} ids of queue '{}' have no record and are dead now: {}", result.orphans().size(), queue,
					Names.printable(result.orphans()));
			this.events.publish((listener) -> listener.onOrphan(queue, result.orphans()));
		}
	}

	boolean complete(PolledTask task) {
		if (task.isRecurring()) {
			Instant next = task.nextRun();
			return (next != null)
					? settle(task, Settlement.repeat(task.id(), task.token(), next), DeliveryOutcome.SUCCESS, null)
					: bury(task, false, TaskFailure.withoutNextRun(task.now()));
		}
		boolean keep = !this.settings.apply(task.queue()).retention().completed().isZero();
		return settle(task, Settlement.complete(task.id(), task.token(), keep), DeliveryOutcome.SUCCESS, null);
	}

	boolean again(PolledTask task, Duration delay) {
		Instant next = task.nextRun();
		boolean sooner = next != null && Duration.between(task.now(), next).compareTo(delay) < 0;
		return sooner ? complete(task)
				: settle(task, Settlement.again(task.id(), task.token(), delay), DeliveryOutcome.SUCCESS, null);
	}

	boolean retry(PolledTask task, Duration delay, TaskFailure failure) {
		return settle(task, Settlement.retry(task.id(), task.token(), delay, this.codec.writeFailure(failure)),
				DeliveryOutcome.RETRY, failure);
	}

	boolean bury(PolledTask task, boolean countFailure, TaskFailure failure) {
		return settle(task, Settlement.bury(task.id(), task.token(), countFailure, this.codec.writeFailure(failure)),
				DeliveryOutcome.DEAD, failure);
	}

	boolean release(PolledTask task) {
		return settle(task, Settlement.release(task.id(), task.token(), null), null, null);
	}

	boolean extend(PolledTask task, Duration ttr) {
		try {
			return this.store.extend(task.partition(), List.of(new Extension(task.id(), task.token(), ttr))).get(0);
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, task.queue(), task.id());
		}
	}

	private boolean settle(PolledTask task, Settlement settlement, @Nullable DeliveryOutcome outcome,
			@Nullable TaskFailure failure) {
		boolean applied;
		try {
			applied = HELD_BACK.invoke(() -> this.store.settle(task.partition(), List.of(settlement)).get(0));
		}
		catch (RuntimeException ex) {
			throw StoreErrors.ofTask(ex, task.queue(), task.id());
		}
		if (outcome != null) {
			DeliveryOutcome actual = applied ? outcome : DeliveryOutcome.STALE;
			this.events.publish((listener) -> listener.onEnd(task.queue(), task.id(), actual, task.age(), failure));
		}
		return applied;
	}

}
