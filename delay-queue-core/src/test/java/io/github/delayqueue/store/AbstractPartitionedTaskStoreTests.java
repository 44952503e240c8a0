package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.partition.Partitions;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.generated;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PartitionedTaskStore}: what the contract does not say, and the number
 * of partitions. Two stores over one are two processes.
 */
public abstract class AbstractPartitionedTaskStoreTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final List<String> IDS = IntStream.range(0, 40).mapToObj((i) -> "task-" + i).toList();

	private static final List<String> NAMES = SourceNames.names("q", 8);

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private SourceStore partitions;

	private Consumer<String> beforeForget = (partition) -> {
	};

	private final PartitionedTaskStore one = process(1);

	private final PartitionedTaskStore four = process(4);

	private final PartitionedTaskStore eight = process(8);

	/**
	 * Make a store that knows of no queue.
	 * @param clock the clock it has to read
	 * @return a new store
	 */
	protected abstract SourceStore open(MutableClock clock);

	private PartitionedTaskStore process(int configured) {
		return new PartitionedTaskStore(proxy(), (queue) -> configured);
	}

	/** To the store that there is now. */
	private SourceStore proxy() {
		return (SourceStore) Proxy.newProxyInstance(SourceStore.class.getClassLoader(),
				new Class<?>[] { SourceStore.class, QueueControl.class }, (proxy, method, arguments) -> {
					try {
						if (method.getName().equals("requireRole") && arguments[0] == QueueControl.class) {
							return proxy;
						}
						if (method.getName().equals("forget")) {
							this.beforeForget.accept((String) arguments[0]);
						}
						return method.invoke(this.partitions.requireRole(method.getDeclaringClass()), arguments);
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
		assertThat(IDS).allMatch((id) -> this.partitions.find(Partitions.home(id, NAMES), id).isPresent());
		assertThat(NAMES).allMatch((partition) -> known(partition).equals("8"));
	}

	@Test
	void newTasksOfOnePartitionAreSentAheadToIt() {
		String first = Partitions.home("task-0", NAMES);
		List<NewTask> together = tasks(SECOND).stream()
			.filter((task) -> Partitions.home(task.id(), NAMES).equals(first))
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
	void queueKeepsItsNumberUntilItIsForgotten() {
		this.four.schedule("q", tasks(SECOND));
		assertRefused(this.eight, 4, 8);
		assertRefused(this.one, 4, 1);
		assertThat(this.four.stats("q").waiting()).isEqualTo(IDS.size());
		this.eight.clear("q");
		assertRefused(this.eight, 4, 8);
		assertThat(this.eight.forget("q")).isTrue();
		this.eight.schedule("q", tasks(Duration.ZERO));
		assertThat(NAMES).allMatch((partition) -> QueueView.of(this.partitions).stats(partition).waiting() > 0);
		assertThat(drain(this.eight)).hasSize(IDS.size());
		assertRefused(this.four, 8, 4);
	}

	@Test
	void queueWithOnePartitionIsRefusedToWhoIsSetToMoreUntilItIsForgotten() {
		this.one.schedule("q", tasks(Duration.ZERO));
		assertRefused(this.eight, 1, 8);
		drain(this.one);
		this.one.clear("q");
		assertRefused(this.eight, 1, 8);
		assertThat(this.one.forget("q")).isTrue();
		this.eight.schedule("q", tasks(SECOND));
		assertRefused(this.one, 8, 1);
	}

	@Test
	void numberThatAnEarlierVersionHasRaisedIsRefusedUntilTheQueueIsForgotten() {
		this.partitions.learn("q", "8,4", false);
		assertRefused(this.one, 8, 1);
		assertRefused(this.four, 8, 4);
		for (ThrowingCallable step : List.<ThrowingCallable>of(() -> this.eight.schedule("q", tasks(SECOND)),
				() -> claim(this.eight, "q#7"), () -> this.eight.cancel("q", IDS.get(0)))) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(step)
				.withMessageContaining("has raised the number of partitions of queue 'q' to 8")
				.withMessageEndingWith("drain it, call forget, and begin anew");
		}
		assertThat(this.eight.stats("q").partitions()).isEqualTo(8);
		assertThat(this.eight.forget("q")).isTrue();
		this.eight.schedule("q", tasks(SECOND));
		assertThat(this.eight.stats("q").waiting()).isEqualTo(IDS.size());
	}

	@Test
	void whoIsRefusedLooksAtAndSteersWhatThereIs() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		PartitionedTaskStore other = process(3);
		assertThat(other.stats("q").waiting()).isEqualTo(IDS.size());
		assertThat(other.stats("q").partitions()).isEqualTo(8);
		assertThat(other.list("q", TaskState.SCHEDULED, 0, 100)).hasSize(IDS.size());
		assertThat(IDS).allMatch((id) -> other.find("q", id).isPresent());
		assertThat(process(5).reschedule("q", at(7, 1), DueTime.in(Duration.ZERO))).isTrue();
		assertThat(process(5).cancel("q", at(7, 1))).isTrue();
		assertThat(this.eight.find("q", at(7, 1))).isEmpty();
		deadLetterAll();
		assertThat(process(5).redrive("q", List.of(at(7, 2), at(6, 1), "unknown"))).containsExactly(true, true, false);
		other.setPaused("q", true);
		assertThat(this.eight.stats("q").paused()).isTrue();
	}

	@Test
	void queueThatHasHadNoTaskGetsTheNumberOfWhoComesFirst() {
		assertThat(this.one.cancel("q", "unknown")).isFalse();
		assertThat(this.one.stats("q").waiting()).isZero();
		assertThat(claim(this.one, "q").tasks()).isEmpty();
		this.eight.setPaused("q", true);
		this.eight.schedule("q", tasks(Duration.ZERO));
		assertThat(drain(this.eight)).isEmpty();
		assertRefused(this.four, 8, 4);
	}

	@Test
	void oneNumberHoldsForAllWhoBeginTogether() {
		for (int round = 0; round < 20; round++) {
			String queue = "q" + round;
			List<PartitionedTaskStore> processes = List.of(process(1), process(4), process(8), process(4));
			List<CompletableFuture<Boolean>> begun = processes.stream()
				.map((store) -> CompletableFuture.supplyAsync(() -> begins(store, queue)))
				.toList();
			for (int i = 0; i < processes.size(); i++) {
				int own = processes.get(i).sources(queue).size();
				assertThat(begun.get(i).join()).isEqualTo(own == SourceNames.count(known(queue)));
			}
			assertThat(process(1).stats(queue).totals().scheduled()).isPositive();
			assertThat(QueueView.of(this.partitions).stats(SourceNames.name(queue, 1)).totals().scheduled() > 0)
				.isEqualTo(!known(queue).equals("1"));
		}
	}

	private static boolean begins(PartitionedTaskStore store, String queue) {
		try {
			store.schedule(queue, tasks(SECOND));
			return true;
		}
		catch (DelayQueueException ex) {
			return false;
		}
	}

	@Test
	void storeThatWasEmptiedIsToldAgain() {
		this.eight.schedule("q", tasks(SECOND));
		forget();
		this.eight.schedule("q", tasks(SECOND).subList(0, 20));
		assertThat(this.eight.stats("q").waiting()).isEqualTo(20);
		assertRefused(this.four, 8, 4);
	}

	@Test
	void numberThatTheFirstPartitionHasLostIsThatOfTheSecond() {
		this.eight.schedule("q", tasks(SECOND));
		this.partitions.learn("q", "lost", false);
		process(8).schedule("q", tasks(SECOND));
		assertThat(this.eight.stats("q").waiting()).isEqualTo(IDS.size());
		assertThat(known("q")).isEqualTo("8");
	}

	@Test
	void partitionRefusesWhoKnowsAnotherNumber() {
		ScheduleOptions four = ScheduleOptions.NONE.knowing("4");
		for (NewTask task : List.of(task("a", SECOND), generated("b", SECOND))) {
			for (String known : List.of("", "8")) {
				this.partitions.learn("q", known, false);
				assertThatExceptionOfType(OtherSourcesException.class)
					.isThrownBy(() -> this.partitions.schedule("q", List.of(task), four));
			}
		}
		assertThat(QueueView.of(this.partitions).stats("q").totals().scheduled()).isZero();
		this.partitions.schedule("q", List.of(task("a", SECOND)), four.knowing("8"));
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
		for (String partition : SourceNames.names("q", 8)) {
			assertThat(QueueView.of(this.partitions).stats(partition).paused()).as(partition).isFalse();
		}
		assertThat(this.eight.find("q", at(3, 1))).isPresent();
		assertThat(QueueView.of(this.partitions).queues()).isEmpty();
		assertRefused(this.four, 8, 4);
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
		assertThat(SourceNames.names("q", 8))
			.allMatch((partition) -> QueueView.of(this.partitions).stats(partition).paused());
	}

	@Test
	@Timeout(60)
	void listEndsWhereverItBegins() {
		this.eight.schedule("q", tasks(SECOND));
		for (int offset : new int[] { 100, 1_000_000_000, Integer.MAX_VALUE - 1, Integer.MAX_VALUE }) {
			assertThat(this.eight.list("q", TaskState.SCHEDULED, offset, 10)).isEmpty();
			assertThat(this.eight.list("q", TaskState.DEAD, offset, 10)).isEmpty();
		}
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
						Replacement.REPLACE)));
		}
		Collections.shuffle(tasks, random);
		this.eight.schedule("q", tasks.subList(250, 450));
		this.partitions.schedule("q", tasks.subList(0, 250));
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
	void purgeTakesOfAllPartitionsUntilItHasEnough() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		assertThat(this.eight.purge("q", TaskState.DEAD, 15)).isEqualTo(15);
		assertThat(this.eight.stats("q").dead()).isEqualTo(25);
		assertThat(this.eight.purge("q", TaskState.DEAD, 500)).isEqualTo(25);
		assertThat(this.eight.purge("q", TaskState.DEAD, 500)).isZero();
	}

	@Test
	void eachPartitionKeepsItsShareOfDeadTasks() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		deadLetterAll();
		Retention retention = new Retention(Duration.ZERO, null, 17L);
		for (String partition : this.eight.sources("q")) {
			this.eight.requireRole(TaskRetention.class).tend(partition, retention);
			assertThat(QueueView.of(this.partitions).stats(partition).dead()).isLessThanOrEqualTo(2);
		}
		assertThat(this.eight.stats("q").dead()).isBetween(8L, 16L);
	}

	@Test
	void eachPartitionGetsItsShareOfTheLimits() {
		this.eight.schedule("q", tasks(Duration.ZERO));
		FlowLimits limits = new FlowLimits(RateLimit.parse("80/s"), 13);
		int taken = 0;
		for (String partition : this.eight.sources("q")) {
			ClaimRequest request = ClaimRequest.of("t", 500,
					ClaimTerms.of(SECOND.multipliedBy(9), limits.parts(), null));
			int first = this.eight.claim(partition, request).tasks().size();
			assertThat(first).isBetween(1, 2);
			assertThat(this.eight.claim(partition, request).tasks()).isEmpty();
			taken += first;
		}
		assertThat(taken).isEqualTo(13);
	}

	private String known(String partition) {
		return this.partitions.learn(partition, "", true);
	}

	private static void assertRefused(PartitionedTaskStore store, int there, int set) {
		String sentence = "The number of partitions of queue 'q' is " + there + ", and this instance is set to " + set
				+ ", so it schedules and claims none of its tasks. Set delay-queue.queues.q.partitions to " + there
				+ ". For another number, take a queue of another name, or drain this one, call forget, and begin anew";
		List<NewTask> several = tasks(SECOND);
		for (List<NewTask> tasks : List.of(several, several.subList(0, 1), List.of(generated("new", SECOND)))) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> store.schedule("q", tasks))
				.withMessage(sentence);
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> store.scheduleAhead("q", tasks, ScheduleOptions.NONE).get())
				.withMessage(sentence);
		}
		store.sources("q")
			.forEach((partition) -> assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> claim(store, partition))
				.withMessage(sentence));
	}

	private void settle(String partition, Settlement settlement) {
		claim(this.partitions, partition);
		assertThat(this.partitions.settle(partition, List.of(settlement))).containsExactly(true);
	}

	/** An id that is at home in a partition of eight. */
	private static String at(int home, int number) {
		return IDS.stream()
			.filter((id) -> Partitions.home(id, NAMES).equals(NAMES.get(home)))
			.skip(number - 1L)
			.findFirst()
			.orElseThrow();
	}

	private static ClaimResult claim(TaskStore store, String partition) {
		return store.claim(partition, ClaimRequest.of("t", 500, Duration.ofMinutes(1)));
	}

	private static List<String> drain(TaskStore store) {
		return store.sources("q").stream().flatMap((partition) -> drain(store, partition).stream()).toList();
	}

	private static List<String> drain(TaskStore store, String partition) {
		return claim(store, partition).tasks().stream().map(ClaimedRecord::id).toList();
	}

	private void deadLetterAll() {
		for (String partition : SourceNames.names("q", 8)) {
			List<Settlement> settlements = claim(this.eight, partition).tasks()
				.stream()
				.map((task) -> Endings.deadLetter(task.id(), "t", true, null))
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

}
