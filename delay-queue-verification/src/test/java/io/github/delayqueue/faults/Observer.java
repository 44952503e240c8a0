package io.github.delayqueue.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * Looks at the queues from outside, past whatever breaks the others' connections, and
 * writes down what is there in the end.
 */
final class Observer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Observer.class);

	static final String KEY_PREFIX = "delay:queue:";

	private static final long WATCH_MILLIS = 200;

	private static final long COUNT_MILLIS = 1000;

	/** Longer than any fault: who looks is not to fail because the machine is busy. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(20);

	/** A deliberate defect that hangs has to be noticed within two minutes. */
	private static final Duration HANG = Duration.ofMinutes(1);

	/** More than can have been begun before. */
	private static final long PROGRESS = 100;

	private final List<RedisServer> servers;

	private final HistoryLog log;

	private final RedisStores stores;

	private final TaskStore store;

	private final DelayQueueTemplate operations;

	private final MemoryProbe probe;

	/** The recurring tasks that no listener has scheduled. */
	private final List<String> clocks = new ArrayList<>();

	private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();

	private long pinged;

	private final ScheduledExecutorService counts = Executors.newSingleThreadScheduledExecutor();

	Observer(Site site, HistoryLog log) {
		this.servers = site.servers();
		this.log = log;
		this.stores = DriverStores.on(site.connect()).keyPrefix(KEY_PREFIX).commandTimeout(COMMAND_TIMEOUT);
		this.store = this.stores.open();
		this.operations = new DelayQueueTemplate(this.store, Codecs.create(), TaskEvents.NONE,
				(queue) -> QueueOptions.DEFAULTS, new QueueSteps(this.store, Codecs.create()));
		this.probe = new MemoryProbe(this.operations, this.stores.connections(),
				KEY_PREFIX + "{" + SuiteSettings.PROBE + "}:wake", log);
		this.pinged = System.nanoTime();
		this.watch.scheduleWithFixedDelay(this::ping, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
		this.counts.scheduleWithFixedDelay(this::countKept, COUNT_MILLIS, COUNT_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Write down when Redis does not answer for a while, be it our doing or not. It may
	 * also have stood still between two of them, while we did.
	 */
	private void ping() {
		for (RedisServer server : this.servers) {
			try {
				server.cli("PING");
			}
			catch (IllegalStateException ex) {
				// it does not run
			}
		}
		long now = System.nanoTime();
		long millis = TimeUnit.NANOSECONDS.toMillis(now - this.pinged) - WATCH_MILLIS;
		this.pinged = now;
		if (millis > ChildProcess.STALL_MILLIS) {
			this.log.write("redis-stalled", millis);
		}
	}

	/** Write down how many completed tasks are kept, if Redis says so. */
	private void countKept() {
		try {
			this.log.write("kept", QueueView.of(this.store).stats(SuiteSettings.JOBS).completed());
		}
		catch (DelayQueueException ex) {
			logger.debug("The completed tasks that are kept cannot be counted", ex);
		}
	}

	MemoryProbe probe() {
		return this.probe;
	}

	/**
	 * Wait until consumers have completed some more tasks, however slow the machine is.
	 * Where they do not, a rule says so.
	 */
	void awaitProgress() {
		awaitProgress(() -> false);
	}

	/** The same where no other tasks come: until there are none left, at most. */
	void awaitProgressOrDrained() {
		awaitProgress(this::isDrained);
	}

	private void awaitProgress(BooleanSupplier end) {
		long before = completed();
		try {
			Awaitility.await("progress")
				.atMost(HANG)
				.ignoreExceptionsInstanceOf(DelayQueueException.class)
				.until(() -> completed() >= before + PROGRESS || end.getAsBoolean());
		}
		catch (ConditionTimeoutException ex) {
			logger.warn("Consumers have completed hardly anything", ex);
		}
	}

	private long completed() {
		return SuiteSettings.QUEUES.stream()
			.map(QueueView.of(this.store)::stats)
			.mapToLong((stats) -> stats.totals().completed())
			.sum();
	}

	/**
	 * Schedule the recurring tasks, and find the one that a listener has scheduled.
	 */
	void scheduleRecurring() {
		long cron = SuiteSettings.CRON_PERIOD.toMillis();
		Instant from = Instant.ofEpochMilli((System.currentTimeMillis() / cron + 2) * cron);
		for (int i = 0; i < SuiteSettings.PERIODS.size(); i++) {
			schedule("clock-" + i, Recurrence.every(SuiteSettings.PERIODS.get(i)), from);
		}
		schedule("clock-skipping", Recurrence.every(SuiteSettings.SKIPPING_PERIOD).onMissed(OnMissed.SKIP), from);
		schedule("clock-cron", Recurrence.cron(SuiteSettings.CRON, ZoneOffset.UTC), from);
		Recurrence own = Awaitility.await("task of the listener's own")
			.atMost(HANG)
			.until(() -> this.operations.find(SuiteSettings.OWN_CLOCK, SuiteSettings.OWN_CLOCK), Optional::isPresent)
			.map(TaskDetails::recurrence)
			.orElseThrow();
		writeRecurring(SuiteSettings.OWN_CLOCK, own, Objects.requireNonNull(own.first()));
	}

	private void schedule(String id, Recurrence recurrence, Instant from) {
		this.operations
			.schedule(TaskRequest.queue(SuiteSettings.CLOCKS).id(id).recurrence(recurrence).dueAt(from).build());
		this.clocks.add(id);
		writeRecurring(id, recurrence, from);
	}

	private void writeRecurring(String id, Recurrence recurrence, Instant from) {
		Duration period = (recurrence.period() != null) ? recurrence.period() : SuiteSettings.CRON_PERIOD;
		this.log.write("recurs", id, from.toEpochMilli(), period.toMillis(), recurrence.onMissed());
	}

	/**
	 * Wait until each recurring task has had time to be run once more, and cancel all of
	 * them but the one that a listener would schedule again.
	 * @param patience how long that may take, for all of them together
	 */
	void endRecurring(Duration patience) {
		Map<String, Instant> awaited = new LinkedHashMap<>();
		Stream.concat(this.clocks.stream(), Stream.of(SuiteSettings.OWN_CLOCK))
			.forEach((id) -> dueAt(id).ifPresent((due) -> awaited.put(id, due)));
		try {
			Awaitility.await("recurring tasks")
				.atMost(patience)
				.ignoreExceptionsInstanceOf(DelayQueueException.class)
				.until(() -> {
					awaited.entrySet().removeIf((task) -> !dueAt(task.getKey()).equals(Optional.of(task.getValue())));
					return awaited.isEmpty();
				});
		}
		catch (ConditionTimeoutException ex) {
			awaited.forEach((id, due) -> this.log.write("violation", "drain",
					"Recurring task " + id + " was not run " + patience + " after the last fault, due at " + due));
		}
		this.clocks.forEach((id) -> cancelRecurring(SuiteSettings.CLOCKS, id));
	}

	/** When there are no listeners any more, cancel the task that one had. */
	void endOwnClock() {
		cancelRecurring(SuiteSettings.OWN_CLOCK, SuiteSettings.OWN_CLOCK);
	}

	private void cancelRecurring(String queue, String id) {
		this.log.write("recurs-over", id, this.operations.cancel(queue, id));
	}

	private Optional<Instant> dueAt(String id) {
		String queue = id.equals(SuiteSettings.OWN_CLOCK) ? id : SuiteSettings.CLOCKS;
		return this.operations.find(queue, id).map(TaskDetails::dueAt);
	}

	/** Wait until nothing waits and nobody holds anything. */
	void awaitDrained(Duration patience) {
		long start = System.nanoTime();
		try {
			Awaitility.await("drain")
				.atMost(patience)
				.ignoreExceptionsInstanceOf(DelayQueueException.class)
				.until(this::isDrained);
			this.log.write("drained", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
		}
		catch (ConditionTimeoutException ex) {
			for (String queue : SuiteSettings.QUEUES) {
				QueueStats stats = QueueView.of(this.store).stats(queue);
				if (!FinalState.isDrained(stats)) {
					this.log.write("violation", "drain",
							"Queue " + queue + " was not empty " + patience + " after the last fault: " + stats);
				}
			}
		}
	}

	/**
	 * Wait until no completed task is kept any more: idle consumers remove them.
	 * @param patience how long that may take
	 */
	void awaitForgotten(Duration patience) {
		try {
			Awaitility.await("retention")
				.atMost(patience)
				.ignoreExceptionsInstanceOf(DelayQueueException.class)
				.until(() -> QueueView.of(this.store).stats(SuiteSettings.JOBS).completed() == 0);
		}
		catch (ConditionTimeoutException ex) {
			this.log.write("violation", "retention", "Completed tasks were still kept " + patience
					+ " after the last was handled: " + QueueView.of(this.store).stats(SuiteSettings.JOBS).completed());
		}
	}

	private boolean isDrained() {
		return finalState().isDrained();
	}

	/** Write down what is dead, and forget it. */
	void purgeDead() {
		finalState().purgeDead();
	}

	private FinalState finalState() {
		return new FinalState(this.store, this.operations, this.log);
	}

	void writeFinalState() {
		finalState().write();
		Set<String> keys = new TreeSet<>();
		for (RedisServer server : this.servers) {
			if (server.cli("KEYS", "*") instanceof List<?> names) {
				names.forEach((name) -> keys.add(String.valueOf(name)));
			}
		}
		keys.forEach((key) -> this.log.write("key", key));
		this.log.write("end");
	}

	@Override
	public void close() {
		this.watch.shutdownNow();
		this.counts.shutdownNow();
		this.probe.end();
		this.stores.close();
	}

}
