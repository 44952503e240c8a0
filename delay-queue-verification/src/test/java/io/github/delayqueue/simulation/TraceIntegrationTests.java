package io.github.delayqueue.simulation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.DelegatingTaskStore;
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

	/** One task, as a simulation writes it down: its first consumer loses its lease. */
	private static final String LOG = """
			producer-1-1 send 1000 producer-1-1-1 orders task-1 in:0 OK:0 REPLACE
			producer-1-1 asks 1 schedule orders task-1 producer-1-1-1
			producer-1-1 done 1 1 1001 schedule orders task-1 producer-1-1-1 CREATED
			producer-1-1 told 1 1
			producer-1-1 answered 1002 producer-1-1-1 CREATED
			consumer-1-1 done 2 1 1100 claim orders task-1 t1 2000 producer-1-1-1 false
			consumer-1-1 told 2 1
			consumer-1-1 started 1102 1 orders task-1 producer-1-1-1 0 0 1001
			consumer-1-1 asks 3 extend orders task-1 t1 2000
			consumer-1-1 done 3 1 1500 extend orders task-1 t1 2000 true
			consumer-1-1 told 3 1
			consumer-2-1 done 4 1 3500 claim orders task-1 t2 2000 producer-1-1-1 true
			consumer-2-1 told 4 1
			consumer-2-1 started 3502 1 orders task-1 producer-1-1-1 0 1 1001
			consumer-2-1 ended 3503 1 OK
			consumer-1-1 ended 3504 1 OK
			consumer-1-1 asks 5 settle orders task-1 t1 COMPLETE
			consumer-1-1 done 5 1 3506 settle orders task-1 t1 COMPLETE false
			consumer-1-1 told 5 1
			consumer-2-1 asks 6 settle orders task-1 t2 COMPLETE
			consumer-2-1 done 6 1 3508 settle orders task-1 t2 COMPLETE true
			consumer-2-1 told 6 1
			""";

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

	/**
	 * A log that says what cannot be.
	 *
	 * @param text what it says
	 * @param event the event that shows it
	 * @param log the log
	 */
	private record Lie(String text, String event, String log) {

	}

	@Test
	void whatIsNoStepOfTheModelIsRefused() {
		List<Lie> lies = List.of(
				new Lie("a settlement by a stale token is applied", "settle",
						changed("t1 COMPLETE false", "t1 COMPLETE true")),
				new Lie("a settlement by the token that counts is not applied", "settle",
						changed("t2 COMPLETE true", "t2 COMPLETE false")),
				new Lie("a task is claimed while its lease has not run out", "claim",
						changed("done 4 1 3500", "done 4 1 3499")),
				new Lie("a task in flight is claimed as if it waited", "claim",
						changed("producer-1-1-1 true", "producer-1-1-1 false")),
				new Lie("two claims have the same token", "claim", changed("t2", "t1")),
				new Lie("a claim that was answered is carried out again, and takes the task once more", "claim",
						changed("done 4 1 3500", "done 2 2 3500").replace("t2", "t1")
							.replace("consumer-2-1", "consumer-1-1")),
				new Lie("a completed task is run", "begin",
						LOG + "consumer-1-1 started 3600 2 orders task-1 producer-1-1-1 0 0 1001\n"),
				new Lie("a completed task is claimed", "claim",
						LOG + "consumer-1-1 done 7 1 9000 claim orders task-1 t3 2000 producer-1-1-1 false\n"),
				new Lie("a task is run by a process that has not claimed it", "begin", without("done 2 ")),
				new Lie("a task is completed that no handler has handled", "ask settle", without("ended")),
				new Lie("a call has returned, and nothing is stored", "answered", without("producer-1-1 done")),
				new Lie("a call was refused, and the task is stored", "refused",
						changed("answered 1002 producer-1-1-1 CREATED", "refused 1002 producer-1-1-1 full")),
				new Lie("a claim brings what was never scheduled", "claim",
						changed("2000 producer-1-1-1 false", "2000 other-7 false")),
				new Lie("an extension by a stale token is applied", "extend",
						LOG + "consumer-1-1 done 8 1 3600 extend orders task-1 t1 2000 true\n"),
				new Lie("a cancellation finds nothing, while the task is in flight", "cancel",
						changed("consumer-1-1 told 2 1\n", """
								consumer-1-1 told 2 1
								producer-1-1 asks 9 cancel orders task-1 -
								producer-1-1 done 9 1 1101 cancel orders task-1 - false
								""")),
				new Lie("a settlement is carried out that nobody has sent", "settle", without("consumer-2-1 asks 6")));
		List<TaskTrace> traces = Stream.concat(Stream.of(LOG), lies.stream().map(Lie::log))
			.flatMap((log) -> TaskTraces.read(log.lines().toList()).traces().stream())
			.toList();
		assertThat(traces).hasSize(1 + lies.size());
		TraceReplay replay = TraceReplay.of(traces, this.folder);
		assertThat(replay.reached(0)).as("the truth").isEqualTo(traces.get(0).events().size());
		for (int i = 1; i < traces.size(); i++) {
			Lie lie = lies.get(i - 1);
			assertThat(traces.get(i).describe(replay.reached(i))).as(lie.text())
				.contains("no step of the model: [op |-> \"" + lie.event() + "\"");
		}
	}

	private static String changed(String before, String after) {
		assertThat(LOG).contains(before);
		return LOG.replace(before, after);
	}

	private static String without(String text) {
		assertThat(LOG).contains(text);
		return LOG.lines().filter((line) -> !line.contains(text)).collect(Collectors.joining("\n", "", "\n"));
	}

}
