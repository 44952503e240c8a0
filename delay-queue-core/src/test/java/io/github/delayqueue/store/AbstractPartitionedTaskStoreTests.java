package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.generated;
import static io.github.delayqueue.fixtures.Tasks.newer;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PartitionedTaskStore}: what the contract does not say, and growth. Two
 * stores over one are two processes.
 */
public abstract class AbstractPartitionedTaskStoreTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final List<String> IDS = IntStream.range(0, 40).mapToObj((i) -> "task-" + i).toList();

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private PartitionStore partitions;

	private Consumer<String> beforeForget = (partition) -> {
	};

	private final PartitionedTaskStore one = process(1);

	private final PartitionedTaskStore eight = process(8);

	/**
	 * Make a store that knows of no queue.
	 * @param clock the clock it has to read
	 * @return a new store
	 */
	protected abstract PartitionStore open(MutableClock clock);

	private PartitionedTaskStore process(int configured) {
		return new PartitionedTaskStore(proxy(), (queue) -> configured);
	}

	/** To the store that there is now. */
	private PartitionStore proxy() {
		return (PartitionStore) Proxy.newProxyInstance(PartitionStore.class.getClassLoader(),
				new Class<?>[] { PartitionStore.class }, (proxy, method, arguments) -> {
					try {
						if (method.getName().equals("forget")) {
							this.beforeForget.accept((String) arguments[0]);
						}
						return method.invoke(this.partitions, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	@BeforeEach
	void forget() {
		this.partitions = open(this.clock);
	}

	@Test
	void tasksAreWhereTheirIdsSay() {
		this.eight.schedule("q", tasks(SECOND));
		for (String id : IDS) {
			assertThat(this.partitions.find(Partitions.home(id, Partitions.names("q", 8)), id)).isPresent();
		}
		assertThat(this.partitions.learn("q", PartitionCounts.UNCHECKED, false).counts()).hasToString("8");
	}

	@Test
	void queueWithOnePartitionIsNotWrittenTo() {
		this.one.schedule("q", tasks(SECOND));
		assertThat(this.one.cancel("q", "unknown")).isFalse();
		claim(this.one, "q");
		assertThat(this.partitions.learn("q", PartitionCounts.UNCHECKED, false).counts())
			.isEqualTo(PartitionCounts.UNCHECKED);
		assertThat(this.one.partitions("q")).containsExactly("q");
	}

	@Test
	void processThatKnowsOfFewerPartitionsLearnsWhenItSchedules() {
		this.one.schedule("q", tasks(SECOND).subList(0, 20));
		this.eight.schedule("q", tasks(SECOND).subList(20, 30));
		this.one.schedule("q", tasks(SECOND).subList(30, 40));
		assertThat(this.one.partitions("q")).hasSize(8);
		for (String id : IDS.subList(20, 40)) {
			assertThat(this.partitions.find(Partitions.home(id, Partitions.names("q", 8)), id)).isPresent();
		}
		assertThat(this.one.list("q", TaskState.SCHEDULED, 0, 100)).extracting(StoredTask::id)
			.containsExactlyInAnyOrderElementsOf(IDS);
	}

	@Test
	void whatIsSentAheadIsSentAgainIfTheQueueHasGrown() {
		this.one.schedule("q", tasks(SECOND).subList(0, 1));
		this.eight.schedule("q", tasks(SECOND).subList(1, 2));
		assertThat(this.one.scheduleAhead("q", tasks(SECOND).subList(2, 40), ScheduleOptions.NONE).get().outcomes())
			.hasSize(38)
			.containsOnly(ScheduleOutcome.CREATED);
		for (String id : IDS.subList(1, 40)) {
			assertThat(this.partitions.find(Partitions.home(id, Partitions.names("q", 8)), id)).isPresent();
		}
	}

	@Test
	void newTasksOfOnePartitionAreSentAheadToIt() {
		List<String> names = Partitions.names("q", 8);
		String first = Partitions.home("task-0", names);
		List<NewTask> together = tasks(SECOND).stream()
			.filter((task) -> Partitions.home(task.id(), names).equals(first))
			.map((task) -> new NewTask(task.id(), task.envelope(), task.due(), task.priority(), task.onDuplicate(),
					true))
			.toList();
		this.eight.schedule("q", tasks(SECOND).subList(39, 40));
		assertThat(this.eight.scheduleAhead("q", together, ScheduleOptions.NONE).get().outcomes())
			.hasSameSizeAs(together);
		assertThat(together).isNotEmpty()
			.allSatisfy((task) -> assertThat(this.partitions.find(first, task.id())).isPresent());
	}

	@Test
	void processThatKnowsOfFewerPartitionsLearnsWhenItClaims() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		assertThat(this.one.partitions("q")).hasSize(1);
		int claimed = claim(this.one, "q").tasks().size();
		assertThat(this.one.partitions("q")).hasSize(8);
		assertThat(drain(this.one)).hasSize(IDS.size() - claimed);
	}

	@Test
	void consumerAloneMakesAQueueGrow() {
		this.one.schedule("q", tasks(Duration.ZERO));
		claim(this.eight, "q");
		for (String partition : Partitions.names("q", 8)) {
			assertThat(this.partitions.learn(partition, PartitionCounts.UNCHECKED, false).counts()).hasToString("8,1");
		}
	}

	@Test
	void processThatKnowsOfFewerPartitionsFindsWhatIsInOthers() {
		this.eight.schedule("q", tasks(SECOND));
		String id = at(3, 1);
		assertThat(process(1).find("q", id)).isPresent();
		assertThat(process(1).reschedule("q", id, DueTime.in(Duration.ZERO))).isTrue();
		assertThat(process(1).stats("q").scheduled()).isEqualTo(IDS.size());
		assertThat(process(1).list("q", TaskState.SCHEDULED, 0, 100)).hasSize(IDS.size());
		assertThat(process(1).cancel("q", id)).isTrue();
		assertThat(process(1).find("q", id)).isEmpty();
		assertThat(process(1).clear("q")).isEqualTo(IDS.size() - 1);
		assertThat(this.eight.stats("q").scheduled()).isZero();
	}

	@Test
	void tasksFromBeforeAGrowthAreFoundInTheirOldHome() {
		this.one.schedule("q", tasks(SECOND));
		grow();
		String id = at(3, 1);
		assertThat(this.eight.find("q", id)).isPresent();
		assertThat(this.eight.reschedule("q", id, DueTime.in(SECOND.multipliedBy(2)))).isTrue();
		assertThat(this.partitions.find("q", id).orElseThrow().dueAt()).isEqualTo(this.clock.instant().plusSeconds(2));
		assertThat(this.eight.cancel("q", id)).isTrue();
		assertThat(this.eight.cancel("q", id)).isFalse();
		assertThat(this.eight.find("q", id)).isEmpty();
	}

	@Test
	void deadTasksOfAllHomesAreDrivenAgain() {
		this.one.schedule("q", tasks(Duration.ZERO).subList(0, 20));
		grow();
		this.eight.schedule("q", tasks(Duration.ZERO).subList(20, 40));
		deadLetterAll();
		List<Boolean> redriven = this.eight.redrive("q",
				Stream.concat(IDS.stream(), Stream.of("unknown", IDS.get(0))).toList());
		assertThat(redriven.subList(0, 40)).containsOnly(true);
		assertThat(redriven.subList(40, 42)).containsOnly(false);
		assertThat(this.eight.stats("q").scheduled()).isEqualTo(IDS.size());
	}

	@ParameterizedTest
	@EnumSource
	void replacingATaskInItsOldHomeRemovesItThere(Situation situation) {
		String id = at(3, 1);
		arrange(situation, id);
		grow();
		assertThat(this.eight.schedule("q", List.of(task(id, SECOND))))
			.containsExactly(situation.isKnown() ? ScheduleOutcome.REPLACED : ScheduleOutcome.CREATED);
		assertThat(this.partitions.find("q", id)).isEmpty();
		assertThat(this.partitions.find("q#3", id)).isPresent();
		assertThat(this.partitions.settle("q", List.of(Settlement.complete(id, "t", false)))).containsExactly(false);
		boolean unfinished = situation.isKnown() && situation != Situation.COMPLETED;
		assertThat(this.eight.stats("q").totals().replaced()).isEqualTo(unfinished ? 1 : 0);
		TotalsIdentity.check(this.eight.stats("q"));
	}

	@ParameterizedTest
	@EnumSource
	void taskIsRejectedBecauseOfOneInAnOldHome(Situation situation) {
		String id = at(3, 1);
		arrange(situation, id);
		grow();
		assertThat(this.eight.schedule("q", List.of(rejecting(id), task(at(3, 2), SECOND), rejecting(id))))
			.containsExactly(situation.isKnown() ? ScheduleOutcome.REJECTED : ScheduleOutcome.CREATED,
					ScheduleOutcome.CREATED, ScheduleOutcome.REJECTED);
		assertThat(this.partitions.find("q#3", id).isPresent()).isNotEqualTo(situation.isKnown());
	}

	@Test
	void idInOneScheduleIsRejectedReplacedAndRejectedAcrossHomes() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(task(id, SECOND)));
		grow();
		assertThat(this.eight.schedule("q", List.of(rejecting(id), task(id, SECOND), rejecting(id))))
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED);
		assertThat(this.eight.list("q", TaskState.SCHEDULED, 0, 10)).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void handOverIsRejectedBecauseOfWhatIsNotOlderInAnOldHome(Situation situation) {
		String id = at(3, 1);
		arrange(situation, newer(id, 5));
		grow();
		List<ScheduleOutcome> expected = situation.isKnown()
				? List.of(ScheduleOutcome.REJECTED, ScheduleOutcome.REJECTED, ScheduleOutcome.CREATED)
				: List.of(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED, ScheduleOutcome.CREATED);
		assertThat(this.eight.schedule("q", List.of(newer(id, 4), newer(id, 5), newer(at(3, 2), 1))))
			.isEqualTo(expected);
		assertThat(this.partitions.find("q#3", id).isPresent()).isNotEqualTo(situation.isKnown());
		assertThat(this.partitions.find("q", id).isPresent()).isEqualTo(situation.isKnown());
	}

	@ParameterizedTest
	@EnumSource
	void handOverRemovesWhatIsOlderInAnOldHome(Situation situation) {
		String id = at(3, 1);
		arrange(situation, newer(id, 4));
		grow();
		assertThat(this.eight.schedule("q", List.of(newer(id, 3), newer(id, 5), newer(id, 4)))).containsExactly(
				situation.isKnown() ? ScheduleOutcome.REJECTED : ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED,
				ScheduleOutcome.REJECTED);
		assertThat(this.partitions.find("q", id)).isEmpty();
		assertThat(Generation.of(this.partitions.find("q#3", id).orElseThrow().envelope())).hasValue(5);
		assertThat(this.partitions.settle("q", List.of(Settlement.complete(id, "t", false)))).containsExactly(false);
		TotalsIdentity.check(this.eight.stats("q"));
	}

	@Test
	void generatedIdThatIsHandedOverIsLookedForInEarlierHomes() {
		String id = at(3, 1);
		NewTask task = new NewTask(id, newer(id, 5).envelope(), DueTime.in(SECOND), TaskPriority.NORMAL,
				DuplicatePolicy.NEWER, true);
		this.one.schedule("q", List.of(task));
		grow();
		assertThat(this.eight.schedule("q", List.of(task))).containsExactly(ScheduleOutcome.REJECTED);
		assertThat(this.eight.scheduleAhead("q", List.of(task), ScheduleOptions.NONE).get().outcomes())
			.containsExactly(ScheduleOutcome.REJECTED);
		assertThat(this.partitions.find("q#3", id)).isEmpty();
	}

	@Test
	void handOverThatDidNotRemoveTheOldTaskDoesSoWhenItIsRepeated() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(newer(id, 4)));
		grow();
		// a process that dies before it removes the old one
		this.partitions.schedule("q#3", List.of(newer(id, 5)));
		assertThat(this.eight.schedule("q", List.of(newer(id, 5)))).containsExactly(ScheduleOutcome.REJECTED);
		assertThat(this.partitions.find("q", id)).isEmpty();
		assertThat(this.partitions.find("q#3", id)).isPresent();
	}

	@Test
	void generationsHoldInEarlierHomesAsWell() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(newer(id, 5)));
		grow();
		assertThat(this.eight.reschedule("q", id, DueTime.in(SECOND), Condition.exactly(4, 6))).isFalse();
		assertThat(this.eight.reschedule("q", id, DueTime.in(SECOND.multipliedBy(9)), Condition.exactly(5, 6)))
			.isTrue();
		assertThat(this.partitions.find("q", id).orElseThrow().dueAt()).isEqualTo(this.clock.instant().plusSeconds(9));
		assertThat(this.eight.cancel("q", id, Condition.upTo(5))).isFalse();
		assertThat(this.eight.cancel("q", id, Condition.upTo(6))).isTrue();
		assertThat(this.eight.find("q", id)).isEmpty();
	}

	@Test
	void eachPartitionHasABeatOfItsOwn() {
		assertThat(this.eight.beat("q", Epoch.NONE, "a")).isEqualTo(new Epoch("a", 1));
		assertThat(this.one.beat("q", Epoch.NONE, "b")).isEqualTo(new Epoch("a", 2));
		assertThat(this.eight.beat("q#3", Epoch.NONE, "b")).isEqualTo(new Epoch("b", 1));
		forget();
		assertThat(this.eight.beat("q", Epoch.NONE, "c")).isEqualTo(new Epoch("c", 1));
	}

	@Test
	void queueThatGetsATaskWhileItIsForgottenIsForgottenAsAWhole() {
		this.eight.schedule("q", tasks(SECOND));
		this.eight.clear("q");
		this.eight.setPaused("q", true);
		this.beforeForget = (partition) -> {
			if (partition.equals("q#3")) {
				this.eight.schedule("q", List.of(task(at(3, 1), Duration.ZERO)));
			}
		};
		assertThat(this.eight.forget("q")).isTrue();
		for (String partition : Partitions.names("q", 8)) {
			assertThat(this.partitions.stats(partition).paused()).as(partition).isFalse();
		}
		assertThat(this.eight.find("q", at(3, 1))).isPresent();
		assertThat(this.partitions.queues()).isEmpty();
	}

	@Test
	void queueWithATaskIsNotForgottenInAnyPartition() {
		this.eight.schedule("q", tasks(SECOND));
		this.eight.clear("q");
		this.eight.setPaused("q", true);
		this.eight.schedule("q", List.of(task(at(0, 1), Duration.ZERO)));
		long scheduled = this.eight.stats("q").totals().scheduled();
		assertThat(this.eight.forget("q")).isFalse();
		assertThat(this.eight.stats("q").totals().scheduled()).isEqualTo(scheduled);
		assertThat(Partitions.names("q", 8)).allMatch((partition) -> this.partitions.stats(partition).paused());
	}

	@Test
	void taskLeftInBothHomesIsCancelledInBoth() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(task(id, SECOND)));
		grow();
		// a process that dies before it removes the old one
		this.partitions.schedule("q#3", List.of(task(id, SECOND)));
		assertThat(this.eight.cancel("q", id)).isTrue();
		assertThat(this.eight.stats("q").scheduled()).isZero();
	}

	@Test
	void cancelThatFindsTheQueueGrownHalfwayKnowsWhatItHasCancelled() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(task("other", SECOND)));
		grow();
		this.eight.schedule("q", List.of(task(id, SECOND)));
		this.partitions.learn("q", PartitionCounts.of(9), false);
		assertThat(this.eight.cancel("q", id)).isTrue();
		assertThat(this.eight.find("q", id)).isEmpty();
	}

	@Test
	@Timeout(60)
	void listEndsWhereverItBegins() {
		this.one.schedule("q", tasks(SECOND));
		grow();
		for (int offset : new int[] { 100, 1_000_000_000, Integer.MAX_VALUE - 1, Integer.MAX_VALUE }) {
			assertThat(this.eight.list("q", TaskState.SCHEDULED, offset, 10)).isEmpty();
			assertThat(this.eight.list("q", TaskState.DEAD, offset, 10)).isEmpty();
		}
	}

	@Test
	void generatedIdsAreNotLookedForInEarlierHomes() {
		String id = at(3, 1);
		this.one.schedule("q", List.of(task(id, SECOND)));
		grow();
		this.eight.schedule("q", List.of(generated(id, SECOND)));
		assertThat(this.partitions.find("q", id)).isPresent();
	}

	@Test
	void queueGrowsSeveralTimes() {
		this.one.schedule("q", tasks(SECOND).subList(0, 10));
		process(2).schedule("q", tasks(SECOND).subList(10, 20));
		process(5).schedule("q", tasks(SECOND).subList(20, 30));
		this.eight.schedule("q", tasks(SECOND).subList(30, 40));
		assertThat(this.partitions.learn("q#7", PartitionCounts.UNCHECKED, false).counts()).hasToString("8,5,2,1");
		for (PartitionedTaskStore store : List.of(this.one, process(2), this.eight)) {
			assertThat(IDS).allMatch((id) -> store.find("q", id).isPresent());
		}
		this.one.schedule("q", tasks(SECOND.multipliedBy(2)));
		assertThat(this.eight.stats("q").scheduled()).isEqualTo(IDS.size());
		assertThat(this.eight.stats("q").totals().replaced()).isEqualTo(IDS.size());
	}

	@Test
	void queueThatNeverHadTasksInOnePartitionHasNoEarlierHomes() {
		this.one.stats("q");
		this.eight.schedule("q", tasks(SECOND));
		assertThat(this.one.cancel("q", at(3, 1))).isTrue();
		assertThat(this.partitions.learn("q", PartitionCounts.UNCHECKED, false).counts()).hasToString("8");
	}

	@Test
	void numberOfPartitionsIsNeverLowered() {
		this.eight.schedule("q", tasks(SECOND).subList(0, 20));
		process(3).schedule("q", tasks(SECOND).subList(20, 40));
		assertThat(this.partitions.stats("q").partitions()).isEqualTo(8);
		assertThat(process(3).stats("q").partitions()).isEqualTo(8);
	}

	@Test
	void pauseHoldsForPartitionsThatComeLater() {
		this.one.schedule("q", tasks(Duration.ZERO));
		this.one.setPaused("q", true);
		grow();
		this.eight.schedule("q", tasks(Duration.ZERO));
		assertThat(drain(this.eight)).isEmpty();
		assertThat(this.eight.stats("q").paused()).isTrue();
		process(1).setPaused("q", false);
		assertThat(drain(this.eight)).hasSize(IDS.size());
		assertThat(this.eight.stats("q").paused()).isFalse();
	}

	@Test
	void figuresAreSums() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		this.clock.advance(SECOND);
		this.eight.schedule("q", List.of(task(at(1, 1), Duration.ZERO), task(at(2, 1), SECOND)));
		this.clock.advance(Duration.ofMillis(100));
		QueueStats stats = this.eight.stats("q");
		assertThat(stats.dead()).isEqualTo(38);
		assertThat(stats.scheduled()).isEqualTo(2);
		assertThat(stats.due()).isOne();
		assertThat(stats.oldestDueAge()).isEqualTo(Duration.ofMillis(100));
		assertThat(stats.nextDueAt()).isEqualTo(this.clock.instant().plusMillis(900));
		assertThat(stats.totals().deadLettered()).isEqualTo(40);
		assertThat(stats.partitions()).isEqualTo(8);
	}

	@Test
	void listIsOrderedOverAllPartitions() {
		List<NewTask> tasks = new ArrayList<>();
		IntStream.range(0, 200)
			.forEach((i) -> tasks.add(task(String.format(Locale.ROOT, "t-%03d", i), Duration.ofMillis(i / 3))));
		Collections.shuffle(tasks, new Random(7));
		this.eight.schedule("q", tasks);
		List<String> expected = IntStream.range(0, 200)
			.mapToObj((i) -> String.format(Locale.ROOT, "t-%03d", i))
			.toList();
		assertThat(ids(this.eight.list("q", TaskState.SCHEDULED, 0, 500))).isEqualTo(expected);
		assertThat(ids(this.eight.list("q", TaskState.SCHEDULED, 0, 1))).isEqualTo(expected.subList(0, 1));
		assertThat(ids(this.eight.list("q", TaskState.SCHEDULED, 95, 50))).isEqualTo(expected.subList(95, 145));
		assertThat(ids(this.eight.list("q", TaskState.SCHEDULED, 195, 50))).isEqualTo(expected.subList(195, 200));
		assertThat(this.eight.list("q", TaskState.SCHEDULED, 200, 50)).isEmpty();
		assertThat(this.eight.list("q", TaskState.DEAD, 0, 50)).isEmpty();
	}

	/** Of three priorities, many due together, most of them in the first partition. */
	@Test
	void pagesFromAnywhereAreThoseOfTheWholeList() {
		Random random = new Random(11);
		List<NewTask> tasks = new ArrayList<>();
		for (TaskPriority priority : TaskPriority.values()) {
			IntStream.range(0, 150)
				.forEach((i) -> tasks.add(new NewTask(priority + "-" + i, bytes("x"),
						DueTime.in(Duration.ofMillis(random.nextInt(5) * random.nextInt(20))), priority,
						DuplicatePolicy.REPLACE)));
		}
		Collections.shuffle(tasks, random);
		this.one.schedule("q", tasks.subList(0, 250));
		grow();
		this.eight.schedule("q", tasks.subList(250, 450));
		List<String> whole = ids(this.eight.list("q", TaskState.SCHEDULED, 0, 500));
		assertThat(whole).hasSize(450).doesNotHaveDuplicates();
		for (int offset = 0; offset <= 460; offset++) {
			int end = Math.min(450, offset + 7);
			assertThat(ids(this.eight.list("q", TaskState.SCHEDULED, offset, 7))).as("offset %d", offset)
				.isEqualTo(whole.subList(Math.min(450, offset), end));
		}
		assertThat(this.eight.list("q", TaskState.SCHEDULED, 10_000, 7)).isEmpty();
	}

	@Test
	void placesAreThoseOfEachIndex() {
		for (TaskPriority priority : TaskPriority.values()) {
			IntStream.range(0, 2 + priority.ordinal())
				.forEach((i) -> this.one.schedule("q", List.of(new NewTask(priority + "-" + i, bytes("x"),
						DueTime.in(Duration.ofMillis(i)), priority, DuplicatePolicy.REPLACE))));
		}
		List<IndexPlaces> found = this.partitions.places("q", TaskState.SCHEDULED, List.of(2, 1, 0), List.of(1, 3, 9));
		assertThat(found).extracting(IndexPlaces::size).containsExactly(0, 2, 4);
		assertThat(found).extracting((index) -> ids(index.tasks()))
			.containsExactly(List.of(), List.of("NORMAL-1", "NORMAL-2"), List.of("LOW-0", "LOW-2", "LOW-3"));
		assertThat(found.get(2).tasks().get(1)).extracting(StoredTask::priority, StoredTask::at)
			.containsExactly(TaskPriority.LOW, this.clock.instant().plusMillis(2));
		assertThat(this.partitions.places("q", TaskState.DEAD, List.of(5), List.of(1)))
			.containsExactly(new IndexPlaces(0, List.of()));
	}

	@Test
	void purgeTakesOfAllPartitionsUntilItHasEnough() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		assertThat(this.eight.purge("q", TaskState.DEAD, 15)).isEqualTo(15);
		assertThat(this.eight.stats("q").dead()).isEqualTo(25);
		assertThat(this.eight.purge("q", TaskState.DEAD, 500)).isEqualTo(25);
		assertThat(this.eight.purge("q", TaskState.DEAD, 500)).isZero();
	}

	@Test
	void purgeByIdFindsTasksInAllPartitions() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		List<String> ids = ids(this.eight.list("q", TaskState.DEAD, 0, 500));
		assertThat(this.eight.purge("q", TaskState.DEAD,
				ids.subList(0, 30).stream().collect(Collectors.toMap((id) -> id, (id) -> 0L))))
			.isEqualTo(30);
		assertThat(ids(this.eight.list("q", TaskState.DEAD, 0, 500))).isEqualTo(ids.subList(30, 40));
	}

	@Test
	void purgeByIdFindsCompletedTasksInAllPartitions() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		for (String partition : this.eight.partitions("q")) {
			List<ClaimedRecord> claimed = this.eight.claim(partition, ClaimRequest.of("t", 500, SECOND)).tasks();
			this.eight.settle(partition,
					claimed.stream().map((task) -> Settlement.complete(task.id(), "t", true)).toList());
		}
		List<String> ids = ids(this.eight.list("q", TaskState.COMPLETED, 0, 500));
		assertThat(ids).hasSize(40);
		assertThat(this.eight.purge("q", TaskState.COMPLETED,
				ids.subList(0, 30).stream().collect(Collectors.toMap((id) -> id, (id) -> 0L))))
			.isEqualTo(30);
		assertThat(ids(this.eight.list("q", TaskState.COMPLETED, 0, 500))).isEqualTo(ids.subList(30, 40));
	}

	@Test
	void eachPartitionKeepsItsShareOfDeadTasks() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		Retention retention = new Retention(Duration.ZERO, null, 17L);
		for (String partition : this.eight.partitions("q")) {
			this.eight.claim(partition,
					new ClaimRequest("t", 1, 1, SECOND, ClaimRequest.DEFAULT_MAX_BYTES, false, retention));
			assertThat(this.partitions.stats(partition).dead()).isLessThanOrEqualTo(2);
		}
		assertThat(this.eight.stats("q").dead()).isBetween(8L, 16L);
	}

	@Test
	void eachPartitionGetsItsShareOfTheLimits() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		FlowLimits limits = new FlowLimits(RateLimit.parse("80/s"), 13);
		int taken = 0;
		for (String partition : this.eight.partitions("q")) {
			ClaimRequest request = ClaimRequest.of("t", 500, SECOND.multipliedBy(9)).withLimits(limits);
			int first = this.eight.claim(partition, request).tasks().size();
			assertThat(first).isBetween(1, 2);
			assertThat(this.eight.claim(partition, request).tasks()).isEmpty();
			taken += first;
		}
		assertThat(taken).isEqualTo(13);
	}

	@Test
	void storeThatWasEmptiedIsToldAgain() {
		this.one.schedule("q", tasks(SECOND));
		this.eight.schedule("q", tasks(SECOND));
		forget();
		this.eight.schedule("q", tasks(SECOND).subList(0, 20));
		process(1).schedule("q", tasks(SECOND).subList(20, 40));
		this.one.schedule("q", tasks(SECOND));
		assertThat(this.eight.stats("q").scheduled()).isEqualTo(IDS.size());
		assertThat(this.partitions.stats("q#7").partitions()).isEqualTo(8);
	}

	@Test
	void nothingIsDoubledWhenANewcomerSchedulesFirstInAStoreThatWasEmptied() {
		this.eight.schedule("q", tasks(SECOND));
		forget();
		process(1).schedule("q", tasks(SECOND));
		assertThat(this.eight.find("q", at(3, 1))).isPresent();
		this.eight.schedule("q", tasks(SECOND));
		assertThat(this.eight.stats("q").scheduled()).isEqualTo(IDS.size());
		assertThat(this.eight.stats("q").totals().replaced()).isEqualTo(IDS.size());
	}

	static List<Arguments> stepsOnIds() {
		return List.of(
				step("schedule",
						(store, counts, id) -> store
							.schedule("q", List.of(task(id, SECOND)), ScheduleOptions.NONE.believing(counts))
							.outcomes()
							.isEmpty()),
				step("schedule generated",
						(store, counts, id) -> store
							.schedule("q", List.of(generated(id, SECOND)), ScheduleOptions.NONE.believing(counts))
							.outcomes()
							.isEmpty()),
				step("cancel", (store, counts, id) -> store.cancel("q", id, Condition.NONE.believing(counts))),
				step("reschedule",
						(store, counts, id) -> store
							.reschedule("q", id, DueTime.in(SECOND), Condition.NONE.believing(counts))),
				step("schedule newer",
						(store, counts, id) -> store
							.schedule("q", List.of(newer(id, 1)), ScheduleOptions.NONE.believing(counts))
							.outcomes()
							.isEmpty()),
				step("cancel by generation",
						(store, counts, id) -> store.cancel("q", id, Condition.upTo(1).believing(counts))),
				step("reschedule by generation",
						(store, counts, id) -> store.reschedule("q", id, DueTime.in(SECOND),
								Condition.exactly(1, 2).believing(counts))),
				step("redrive",
						(store, counts, id) -> store
							.redrive("q", List.of("dead", id), DueSpan.NOW, Condition.NONE.believing(counts))
							.get(1)),
				step("find", (store, counts, id) -> store.find("q", id, Condition.NONE.believing(counts)).isPresent()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stepsOnIds")
	void nobodyIsToldOfAnIdThatItIsNotThereWhileItMayBeElsewhere(String name, Step step) {
		this.one.schedule("q", List.of(task("dead", Duration.ZERO)));
		claim(this.one, "q");
		this.one.settle("q", List.of(Settlement.deadLetter("dead", "t", true, null)));
		QueueStats before = this.partitions.stats("q");
		assertThatExceptionOfType(PartitionsChangedException.class)
			.isThrownBy(() -> step.on(this.partitions, PartitionCounts.of(8), "unknown"))
			.returns(PartitionCounts.UNCHECKED, PartitionsChangedException::counts);
		assertThat(this.partitions.stats("q")).isEqualTo(before);
		this.partitions.learn("q", PartitionCounts.of(8), false);
		for (PartitionCounts other : List.of(PartitionCounts.ONE, PartitionCounts.of(8), PartitionCounts.of(9))) {
			assertThatExceptionOfType(PartitionsChangedException.class)
				.isThrownBy(() -> step.on(this.partitions, other, "unknown"))
				.returns(PartitionCounts.parse("8,1"), PartitionsChangedException::counts);
		}
		assertThat(this.partitions.find("q", "unknown")).isEmpty();
		assertThat(this.partitions.find("q", "dead").orElseThrow().state()).isEqualTo(TaskState.DEAD);
		assertThat(step.on(this.partitions, PartitionCounts.parse("8,1"), "unknown")).isFalse();
	}

	@Test
	void whatIsThereIsFoundWhateverIsBelieved() {
		this.partitions.schedule("q", tasks(SECOND).subList(0, 3));
		this.partitions.learn("q", PartitionCounts.of(8), false);
		Condition believed = Condition.NONE.believing(PartitionCounts.ONE);
		assertThat(this.partitions.find("q", "task-0", believed)).isPresent();
		assertThat(this.partitions.reschedule("q", "task-1", DueTime.in(SECOND), believed)).isTrue();
		assertThat(this.partitions.cancel("q", "task-2", believed)).isTrue();
	}

	private void grow() {
		claim(this.eight, "q#7");
		assertThat(this.partitions.stats("q#7").partitions()).isEqualTo(8);
	}

	private void arrange(Situation situation, String id) {
		arrange(situation, task(id, Duration.ZERO));
	}

	private void arrange(Situation situation, NewTask task) {
		String id = task.id();
		if (situation.isKnown()) {
			this.one.schedule("q", List.of(task));
		}
		switch (situation) {
			case IN_FLIGHT -> claim(this.one, "q");
			case COMPLETED -> {
				claim(this.one, "q");
				this.one.settle("q", List.of(Settlement.complete(id, "t", true)));
			}
			case DEAD -> {
				claim(this.one, "q");
				this.one.settle("q", List.of(Settlement.deadLetter(id, "t", true, null)));
			}
			default -> {
			}
		}
		if (!situation.isKnown()) {
			// or there would be no earlier homes
			this.one.schedule("q", List.of(task("other", SECOND)));
		}
	}

	/** An id that is at home in a partition of eight, but not in it of one. */
	private static String at(int home, int number) {
		return IDS.stream().filter((id) -> Partitions.home(id, 8) == home).skip(number - 1L).findFirst().orElseThrow();
	}

	private static ClaimResult claim(TaskStore store, String partition) {
		return store.claim(partition, new ClaimRequest("t", 500, 500, Duration.ofMinutes(1),
				ClaimRequest.DEFAULT_MAX_BYTES, false, TaskStoreFixture.KEEP));
	}

	private static List<String> drain(TaskStore store) {
		return store.partitions("q")
			.stream()
			.flatMap((partition) -> claim(store, partition).tasks().stream())
			.map(ClaimedRecord::id)
			.toList();
	}

	private void deadLetterAll() {
		for (String partition : Partitions.names("q", 8)) {
			List<Settlement> settlements = claim(this.eight, partition).tasks()
				.stream()
				.map((task) -> Settlement.deadLetter(task.id(), "t", true, null))
				.toList();
			assertThat(this.eight.settle(partition, settlements)).doesNotContain(false);
		}
	}

	private static List<String> ids(List<StoredTask> tasks) {
		return tasks.stream().map(StoredTask::id).toList();
	}

	private static List<NewTask> tasks(Duration delay) {
		return IDS.stream().map((id) -> task(id, delay)).toList();
	}

	private static NewTask rejecting(String id) {
		return new NewTask(id, bytes("new"), DueTime.in(SECOND), TaskPriority.NORMAL, DuplicatePolicy.REJECT);
	}

	private static Arguments step(String name, Step step) {
		return Arguments.of(name, step);
	}

	/**
	 * A step on a task, called by somebody who believes in some counts.
	 */
	private interface Step {

		boolean on(PartitionStore store, PartitionCounts counts, String id);

	}

}
