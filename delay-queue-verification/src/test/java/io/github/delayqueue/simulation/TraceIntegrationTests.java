package io.github.delayqueue.simulation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code and model agree: what a simulation writes down of tasks is replayed against the
 * model of the protocol, and each event has to be a step of it. {@code mvn verify
 * -Pmodels} does it for some tasks of an hour, {@code -Pfull} for a thousand.
 * {@code -Dsimulation.traces=5000} for more of them, {@code -Dsimulation.seed=42} for the
 * seed.
 */
@Heavy
class TraceIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(TraceIntegrationTests.class);

	private static final int TASKS = Integer.getInteger("simulation.traces", TestEffort.pick(50, 1000));

	private static final int HOURS = TestEffort.pick(1, 3);

	private static final long SEED = Long.getLong("simulation.seed", TestEffort.seed(1));

	/** Else a replay says nothing about them. */
	private static final Set<String> HAPPENS = Set.of("schedule CREATED", "schedule REPLACED", "reject", "answered",
			"cancel", "move", "claim", "claim after a lost lease", "answer of a claim is lost", "begin", "end",
			"extension", "settle COMPLETE", "settle COMPLETE_AND_KEEP", "settle RETRY", "settle DEAD_LETTER",
			"settle RELEASE", "stale settlement", "told", "twice", "die");

	@TempDir
	private Path folder;

	@Test
	void eachEventOfATaskIsAStepOfTheModel() {
		TaskTraces traces = simulated(HOURS, UnaryOperator.identity());
		List<TaskTrace> some = traces.some(TASKS);
		Map<String, Integer> kinds = new TreeMap<>();
		some.forEach((trace) -> trace.kinds().forEach((kind) -> kinds.merge(kind, 1, Integer::sum)));
		logger.info("{} tasks of seed {}, of {}: {}", some.size(), SEED, traces, kinds);
		assertThat(some).hasSize(TASKS);
		assertThat(TraceReplay.of(some, this.folder).refused()).as("-Dsimulation.seed=" + SEED).isEmpty();
		assertThat(kinds).containsKeys(HAPPENS.toArray(String[]::new));
	}

	@Test
	void storeThatSaysThatItAppliesWhatIsStaleIsRefused() {
		TaskTraces traces = simulated(1, BelievingStore::new);
		assertThat(TraceReplay.of(traces.some(200), this.folder).refused())
			.anyMatch((refused) -> refused.contains("no step of the model: [op |-> \"settle\""));
	}

	private static TaskTraces simulated(int hours, UnaryOperator<TaskStore> defect) {
		Scenario scenario = Scenario.of(SEED, Duration.ofHours(hours), 4000 * hours, 150 * hours);
		return TaskTraces.read(Simulation.run(scenario, true, defect).lines());
	}

	/** Believes every consumer that it holds what it settles. */
	private static final class BelievingStore extends DelegatingTaskStore {

		private BelievingStore(TaskStore delegate) {
			super(delegate);
		}

		@Override
		public List<Boolean> settle(String queue, List<Settlement> settlements) {
			return super.settle(queue, settlements).stream().map((applied) -> true).toList();
		}

	}

}
