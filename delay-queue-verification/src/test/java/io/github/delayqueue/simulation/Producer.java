package io.github.delayqueue.simulation;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.bulk.BulkCalls;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.faults.Load;
import io.github.delayqueue.faults.LoggedCalls;
import io.github.delayqueue.journal.SimulatedJournal.Database;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.store.TaskStore;

/**
 * A process that schedules tasks, with the load of the fault suite.
 */
final class Producer {

	private final Scenario scenario;

	private final Instance instance;

	private final Random random = new Random();

	private final Load load;

	Producer(Scenario scenario, Instance instance, Network network, TaskCodec codec, double phase,
			@Nullable Database database) {
		this.scenario = scenario;
		this.instance = instance;
		TaskStore redis = Settings.partitioned(new SimulatedStore(network, instance));
		TaskStore store = (database != null) ? database.open(redis, instance.clock()).store() : redis;
		DelayQueueTemplate template = new DelayQueueTemplate(store, codec, TaskEvents.NONE, Settings::of,
				new BulkCalls(), new QueueSteps(store, codec));
		Set<String> spread = (database != null) ? Set.of() : Set.of(Settings.SPREAD);
		this.load = new Load(
				new LoggedCalls(template, instance.log(), instance.name(), spread, Set.of(Settings.GROUPED)),
				this.random, 1, phase, instance.timeline()::millis);
	}

	Instance instance() {
		return this.instance;
	}

	/**
	 * Make calls, one after the other.
	 * @param steps which; those of its predecessors are gone
	 */
	void run(Iterator<Integer> steps) {
		Timeline timeline = this.instance.timeline();
		while (steps.hasNext()) {
			int step = steps.next();
			Duration left = this.scenario.timeOf(step).minusNanos(timeline.now());
			if (!left.isNegative()) {
				timeline.sleep(left);
			}
			this.random.setSeed(Scenario.mix(this.scenario.seed(), step));
			Scenario.make(step, this.load);
		}
	}

	static List<Integer> stepsOf(Scenario scenario, int producer) {
		return scenario.steps().stream().filter((step) -> step % Scenario.PRODUCERS == producer).toList();
	}

}
