package io.github.delayqueue.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One run: starts Redis, consumers and producers, inflicts faults on them, heals
 * everything, waits until all tasks are handled, and leaves the histories.
 */
final class SuiteRun implements AutoCloseable {

	/** Of each producer; a call schedules about eight tasks. */
	private static final int CALLS_PER_SECOND = 32;

	private final Path directory;

	private final Random random;

	private final HistoryLog log;

	private final Site site;

	private final Observer observer;

	private final List<ProcessSlot> consumers = new ArrayList<>();

	private final List<ProcessSlot> producers = new ArrayList<>();

	private final List<FaultLane> lanes = new ArrayList<>();

	/**
	 * Make everything ready to start.
	 * @param site has the servers; closed with the run
	 * @param directory an empty folder for the histories
	 * @param seed of everything that is random
	 * @param consumerCount processes that handle: another one takes over from each
	 * @param producerCount processes that schedule
	 */
	SuiteRun(Site site, Path directory, long seed, int consumerCount, int producerCount) {
		this.site = site;
		this.directory = directory;
		this.random = new Random(seed);
		this.log = HistoryLog.open(directory, "driver");
		this.observer = new Observer(site, this.log);
		for (int i = 1; i <= consumerCount; i++) {
			this.consumers.add(slot("consumer-" + i, ConsumerApplication.class, List.of()));
		}
		for (int i = 0; i < producerCount; i++) {
			this.producers.add(slot("producer-" + (i + 1), ProducerApplication.class,
					List.of(String.valueOf(this.random.nextLong()), String.valueOf(CALLS_PER_SECOND), String.valueOf(i),
							String.valueOf(producerCount))));
		}
	}

	/** Start the processes, and wait until they work. */
	void start() {
		List<ProcessSlot> all = new ArrayList<>(this.consumers);
		all.addAll(this.producers);
		all.forEach(ProcessSlot::start);
		all.forEach((slot) -> slot.awaitReady(null));
		this.observer.scheduleRecurring();
	}

	private ProcessSlot slot(String name, Class<?> main, List<String> arguments) {
		List<String> line = new ArrayList<>(arguments);
		line.addAll(SuiteSettings.properties(this.site.properties(name)));
		return new ProcessSlot(name, main, this.directory, line, this.log);
	}

	/**
	 * Inflict faults for some time, and undo them.
	 * @param duration how long
	 */
	void inflictFaults(Duration duration) throws InterruptedException {
		lane(ProcessFaults.of(this.consumers, this.producers));
		lane(this.site.faults(this.log, this.observer));
		List<Thread> threads = this.lanes.stream().map((lane) -> new Thread(lane, "faults")).toList();
		threads.forEach(Thread::start);
		new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
		this.lanes.forEach(FaultLane::end);
		for (Thread thread : threads) {
			thread.join();
		}
		for (FaultLane lane : this.lanes) {
			Throwable failure = lane.failure();
			if (failure != null) {
				throw new IllegalStateException("A fault could not be inflicted or undone", failure);
			}
		}
	}

	private void lane(Map<FaultKind, Fault> faults) {
		this.lanes.add(new FaultLane(faults, new Random(this.random.nextLong()), this.log));
	}

	/**
	 * Schedule nothing more, wait until everything is handled, and end the processes.
	 * @param patience how long that may take
	 */
	void drain(Duration patience) {
		ProcessSlot.endAll(this.producers);
		this.observer.awaitDrained(patience);
		this.observer.endRecurring(patience);
		this.observer.awaitForgotten(patience);
		this.observer.purgeDead();
		ProcessSlot.endAll(this.consumers);
		this.observer.endOwnClock();
		LogScan.writeErrors(this.directory, this.log);
		this.observer.writeFinalState();
	}

	@Override
	public void close() {
		this.consumers.forEach(ProcessSlot::close);
		this.producers.forEach(ProcessSlot::close);
		this.observer.close();
		this.site.close();
		this.log.close();
	}

}
