package io.github.delayqueue.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.faults.FaultKind;
import io.github.delayqueue.faults.FinalState;
import io.github.delayqueue.faults.Findings;
import io.github.delayqueue.faults.History;
import io.github.delayqueue.faults.HistoryChecker;
import io.github.delayqueue.faults.Report;
import io.github.delayqueue.faults.SuiteSettings;
import io.github.delayqueue.journal.SimulatedJournal.Database;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Runs a scenario: the instances, the faults, and what comes after them until everything
 * is handled.
 */
final class Simulation {

	private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

	private static final TaskCodec CODEC = TaskCodec.of(new WorkMapper());

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	private static final Duration COUNT_EVERY = Duration.ofMinutes(15);

	private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(5);

	private static final Duration CRON_PERIOD = Duration.ofMinutes(2);

	/** Longer than any, and what a run may take. */
	private static final Duration LONGEST_PERIOD = Duration.ofMinutes(7);

	private static final Set<FaultKind> AT_A_CLAIM = EnumSet.of(FaultKind.CONSUMER_KILLED, FaultKind.CONSUMER_ENDED,
			FaultKind.CONSUMER_STOPPED);

	private static final Duration TRAP = Duration.ofSeconds(10);

	private static final Duration LONGEST_FAULT = Duration.ofSeconds(90);

	/** Everybody, as the histories say it. */
	private static final String EVERYBODY = "*";

	private final Scenario scenario;

	private final Timeline timeline;

	private final SimulationLog log;

	private final @Nullable TurnedRedis redis;

	private final Network network;

	private final Instance driver;

	private final DelayQueueTemplate operations;

	private final FinalState finalState;

	private final @Nullable Database database;

	private final Map<String, Integer> starts = new LinkedHashMap<>();

	private final List<@Nullable Consumer> consumers = new ArrayList<>();

	private final List<@Nullable Producer> producers = new ArrayList<>();

	private final List<Iterator<Integer>> steps = new ArrayList<>();

	private final List<String> clocks = new ArrayList<>();

	private int faultsBegun;

	/** No further fault is inflicted. */
	private boolean healing;

	/** Consumers are not started again. */
	private boolean ending;

	private Simulation(Scenario scenario, boolean complete, UnaryOperator<TaskStore> defect) {
		this.scenario = scenario;
		this.timeline = new Timeline(START, scenario.seed());
		this.log = new SimulationLog(complete);
		this.redis = scenario.scripts() ? TurnedRedis.take() : null;
		this.network = new Network(this.timeline, scenario.random("network"), this.log, this.redis, defect);
		this.driver = new Instance("driver", 0, this.timeline, this.log, scenario.random("driver"), false);
		this.database = scenario.journal() ? new Database() : null;
		TaskStore redis = Settings.partitioned(this.network.store());
		TaskStore store = (this.database != null) ? this.database.open(redis, this.driver.clock()).store() : redis;
		this.operations = new DelayQueueTemplate(store, CODEC, TaskEvents.NONE, Settings::of,
				new QueueSteps(store, CODEC));
		this.finalState = new FinalState(store, this.operations, this.driver.log());
	}

	/**
	 * What came of a simulation.
	 *
	 * @param findings what is wrong
	 * @param report for people
	 * @param lines what was written down, if it was kept
	 * @param steps how many steps it took
	 */
	record Outcome(Scenario scenario, Findings findings, Report report, List<String> lines, long steps) {

	}

	static Outcome run(Scenario scenario) {
		return run(scenario, false, UnaryOperator.identity());
	}

	/**
	 * Run a scenario.
	 * @param scenario what
	 * @param complete whether to keep all that is written down
	 * @param defect what is wrong with the store
	 * @return what came of it
	 */
	static Outcome run(Scenario scenario, boolean complete, UnaryOperator<TaskStore> defect) {
		Simulation simulation = new Simulation(scenario, complete, defect);
		simulation.timeline.start(Duration.ZERO, simulation.driver, simulation::drive);
		try {
			QuietLogs.during(simulation.timeline::run);
		}
		finally {
			simulation.close();
		}
		History history = simulation.log.history();
		Findings findings = HistoryChecker.checkSimulated(history, Settings.POLL_INTERVAL);
		return new Outcome(scenario, findings, new Report(history, findings, scenario.seed()), simulation.log.lines(),
				simulation.timeline.steps());
	}

	private void close() {
		if (this.database != null) {
			this.database.close();
		}
		if (this.redis != null) {
			this.redis.giveBack();
		}
	}

	private void drive() {
		if (this.database != null) {
			this.driver.log().write("journaled");
		}
		for (int i = 0; i < this.scenario.consumers(); i++) {
			this.consumers.add(null);
			startConsumer(i);
		}
		for (int i = 0; i < Scenario.PRODUCERS; i++) {
			this.producers.add(null);
			this.steps.add(Producer.stepsOf(this.scenario, i).iterator());
			startProducer(i);
		}
		if (this.scenario.recurring()) {
			scheduleRecurring();
		}
		awaitNext(this.scenario.faults().iterator());
		countKept();
		revive();
		this.timeline.sleep(this.scenario.length().minusNanos(this.timeline.now()));
		drain();
		this.timeline.stop();
	}

	private void countKept() {
		this.driver.log().write("kept", QueueView.of(this.network.store()).stats(SuiteSettings.JOBS).completed());
		this.network.check();
		this.timeline.after(COUNT_EVERY, this.driver, this::countKept);
	}

	private Instance instance(String slot) {
		int number = this.starts.merge(slot, 1, Integer::sum);
		return new Instance(slot, number, this.timeline, this.log, this.scenario.random(slot + number),
				!this.scenario.journal());
	}

	private void startConsumer(int index) {
		Consumer consumer = new Consumer(instance("consumer-" + (index + 1)), this.network, CODEC,
				this.scenario.recurring(), this.database);
		this.consumers.set(index, consumer);
		this.timeline.start(Duration.ZERO, consumer.instance(), consumer::start);
	}

	private void startProducer(int index) {
		double phase = (index + 0.5) / Scenario.PRODUCERS;
		Producer producer = new Producer(this.scenario, instance("producer-" + (index + 1)), this.network, CODEC, phase,
				this.database);
		this.producers.set(index, producer);
		this.timeline.start(Duration.ZERO, producer.instance(), () -> {
			producer.run(this.steps.get(index));
			producer.instance().die();
		});
	}

	private void scheduleRecurring() {
		long cron = CRON_PERIOD.toMillis();
		Instant from = Instant.ofEpochMilli((this.timeline.millis() / cron + 1) * cron);
		schedule("clock-0", Recurrence.every(Duration.ofSeconds(61)), from);
		schedule("clock-1", Recurrence.every(Duration.ofMinutes(5)), from);
		schedule("clock-skipping", Recurrence.every(Duration.ofSeconds(83)).onMissed(OnMissed.SKIP), from);
		schedule("clock-cron", Recurrence.cron("0 */2 * * * *", ZoneOffset.UTC), from);
		this.timeline.after(Duration.ofMillis(500), this.driver, this::findOwnClock);
	}

	private void schedule(String id, Recurrence recurrence, Instant from) {
		this.operations
			.schedule(TaskRequest.queue(SuiteSettings.CLOCKS).id(id).recurrence(recurrence).dueAt(from).build());
		this.clocks.add(id);
		writeRecurring(id, recurrence, from);
	}

	private void findOwnClock() {
		Optional<Recurrence> own = this.operations.find(SuiteSettings.OWN_CLOCK, SuiteSettings.OWN_CLOCK)
			.map(TaskDetails::recurrence);
		if (own.isPresent()) {
			writeRecurring(SuiteSettings.OWN_CLOCK, own.get(), Objects.requireNonNull(own.get().first()));
		}
		else {
			this.timeline.after(LOOK_EVERY, this.driver, this::findOwnClock);
		}
	}

	private void writeRecurring(String id, Recurrence recurrence, Instant from) {
		Duration period = (recurrence.period() != null) ? recurrence.period() : CRON_PERIOD;
		this.driver.log().write("recurs", id, from.toEpochMilli(), period.toMillis(), recurrence.onMissed());
	}

	/** One after the other: those to come are not to decide about what is before them. */
	private void awaitNext(Iterator<PlannedFault> faults) {
		if (faults.hasNext()) {
			PlannedFault fault = faults.next();
			this.timeline.after(fault.at().minusNanos(this.timeline.now()), this.driver, () -> {
				time(fault);
				awaitNext(faults);
			});
		}
	}

	/** Some hit a consumer just when it has claimed something. */
	private void time(PlannedFault fault) {
		if (AT_A_CLAIM.contains(fault.kind()) && fault.millis() % 2 == 0) {
			this.network.trap(slot(fault), TRAP, () -> begin(fault));
		}
		else {
			begin(fault);
		}
	}

	private String slot(PlannedFault fault) {
		return "consumer-" + (1 + fault.target() % this.consumers.size());
	}

	/** That of a producer as well. */
	private String anySlot(PlannedFault fault) {
		int index = fault.target() % (this.consumers.size() + this.producers.size());
		return (index < this.consumers.size()) ? "consumer-" + (1 + index)
				: "producer-" + (1 + index - this.consumers.size());
	}

	private void begin(PlannedFault fault) {
		switch (fault.kind()) {
			case CONSUMER_KILLED -> {
				int index = fault.target() % this.consumers.size();
				Consumer consumer = living(index);
				if (consumer != null) {
					Runnable over = span(fault.kind(), consumer.instance().slot());
					consumer.kill();
					this.consumers.set(index, null);
					later(fault, () -> {
						startConsumer(index);
						over.run();
					});
				}
			}
			case CONSUMER_ENDED -> {
				int index = fault.target() % this.consumers.size();
				Consumer consumer = living(index);
				if (consumer != null) {
					Runnable over = span(fault.kind(), consumer.instance().slot());
					this.consumers.set(index, null);
					this.timeline.start(Duration.ZERO, consumer.instance(), consumer::end);
					awaitEnd(consumer, () -> later(fault, () -> {
						startConsumer(index);
						over.run();
					}));
				}
			}
			case CONSUMER_STOPPED -> {
				Consumer consumer = living(fault.target() % this.consumers.size());
				if (consumer != null) {
					Runnable over = span(fault.kind(), consumer.instance().slot());
					consumer.instance().pause(fault.hold().toNanos());
					later(fault, over);
				}
			}
			case PRODUCER_KILLED -> {
				int index = fault.target() % this.producers.size();
				Producer producer = this.producers.get(index);
				if (producer != null && !producer.instance().isDead() && !this.healing) {
					Runnable over = span(fault.kind(), producer.instance().slot());
					producer.instance().die();
					later(fault, () -> {
						startProducer(index);
						over.run();
					});
				}
			}
			case CUT_OFF -> {
				String slot = anySlot(fault);
				Runnable over = span(fault.kind(), slot);
				this.network.cutOff(slot);
				later(fault, () -> {
					this.network.connectAgain(slot);
					over.run();
				});
			}
			case CLOCK_FORWARD, CLOCK_BACK -> stepClock(fault);
			case REDIS_EMPTIED -> become(fault, this.network.copy(true));
			case REDIS_OLDER -> {
				Runnable copy = this.network.copy(false);
				this.timeline.after(Duration.ofMillis(fault.millis()), this.driver, () -> become(fault, copy));
			}
			default -> {
				Runnable over = span(fault.kind(), EVERYBODY);
				this.network.begin(fault.kind());
				if (fault.kind() == FaultKind.CONNECTIONS_CUT || fault.kind() == FaultKind.REDIS_KILLED) {
					this.network.cut();
				}
				later(fault, () -> {
					this.network.end(fault.kind());
					over.run();
				});
			}
		}
	}

	private void become(PlannedFault fault, Runnable copy) {
		Runnable over = span(fault.kind(), EVERYBODY);
		copy.run();
		later(fault, over);
	}

	private void stepClock(PlannedFault fault) {
		if (this.network.has(FaultKind.CLOCK_BACK) || this.network.has(FaultKind.CLOCK_FORWARD)) {
			return;
		}
		Runnable over = span(fault.kind(), EVERYBODY);
		this.network.begin(fault.kind());
		setClock((fault.kind() == FaultKind.CLOCK_FORWARD) ? fault.millis() : -fault.millis());
		later(fault, () -> {
			setClock(0);
			this.network.end(fault.kind());
			over.run();
		});
	}

	private void setClock(int millis) {
		this.driver.log().write("clock", this.timeline.millis(), this.timeline.millis(), millis);
		this.network.setClockOffset(Duration.ofMillis(millis));
	}

	private void later(PlannedFault fault, Runnable step) {
		this.timeline.after(fault.hold(), this.driver, step);
	}

	private void awaitEnd(Consumer consumer, Runnable then) {
		if (consumer.instance().isDead()) {
			then.run();
		}
		else {
			this.timeline.after(Duration.ofMillis(100), this.driver, () -> awaitEnd(consumer, then));
		}
	}

	/** Write down that a fault begins; what is returned writes that it is over. */
	private Runnable span(FaultKind kind, String target) {
		int number = ++this.faultsBegun;
		this.driver.log().write("fault", number, kind, target, this.timeline.millis());
		this.network.trouble(1);
		return () -> {
			this.network.trouble(-1);
			this.driver.log().write("fault-over", number);
		};
	}

	/** {@code null} if it is down, which one that ended itself is not for long. */
	private @Nullable Consumer living(int index) {
		Consumer consumer = this.consumers.get(index);
		if (this.healing || consumer == null) {
			return null;
		}
		return consumer.instance().isDead() ? null : consumer;
	}

	/** Whoever halted itself is started again. */
	private void revive() {
		if (this.ending) {
			return;
		}
		for (int i = 0; i < this.consumers.size(); i++) {
			Consumer consumer = this.consumers.get(i);
			if (consumer != null && consumer.instance().isDead()) {
				startConsumer(i);
			}
		}
		this.timeline.after(LOOK_EVERY, this.driver, this::revive);
	}

	private void drain() {
		this.healing = true;
		this.timeline.sleep(LONGEST_FAULT);
		long since = this.timeline.millis();
		await("drain", "Queues were not empty", DRAIN_PATIENCE,
				() -> this.steps.stream().noneMatch(Iterator::hasNext)
						&& this.producers.stream().allMatch((producer) -> producer.instance().isDead())
						&& this.finalState.isDrained());
		this.driver.log().write("drained", this.timeline.millis() - since);
		if (this.scenario.recurring()) {
			this.timeline.sleep(LONGEST_PERIOD);
			this.clocks.forEach((id) -> cancelRecurring(SuiteSettings.CLOCKS, id));
		}
		await("retention", "Completed tasks were kept", DRAIN_PATIENCE,
				() -> QueueView.of(this.network.store()).stats(SuiteSettings.JOBS).completed() == 0);
		this.finalState.purgeDead();
		this.ending = true;
		this.consumers.forEach((consumer) -> {
			if (consumer != null && !consumer.instance().isDead()) {
				this.timeline.start(Duration.ZERO, consumer.instance(), consumer::end);
			}
		});
		await("end", "Consumers have not ended", DRAIN_PATIENCE,
				() -> this.consumers.stream().allMatch((consumer) -> consumer == null || consumer.instance().isDead()));
		if (this.scenario.recurring()) {
			cancelRecurring(SuiteSettings.OWN_CLOCK, SuiteSettings.OWN_CLOCK);
		}
		if (this.database == null) {
			// else Redis counts what it was given, and never learns of some of it
			this.finalState.write();
		}
		this.driver.log().write("end");
	}

	private void cancelRecurring(String queue, String id) {
		this.driver.log().write("recurs-over", id, this.operations.cancel(queue, id));
	}

	private void await(String rule, String complaint, Duration patience, BooleanSupplier condition) {
		long end = this.timeline.now() + patience.toNanos();
		while (!condition.getAsBoolean()) {
			if (this.timeline.now() > end) {
				this.driver.log().write("violation", rule, complaint + " " + patience + " after the last fault");
				return;
			}
			this.timeline.sleep(LOOK_EVERY);
		}
	}

}
