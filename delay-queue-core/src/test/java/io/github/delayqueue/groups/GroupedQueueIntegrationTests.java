package io.github.delayqueue.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.groups.Group.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Groups take turns, keep their limits, and lose no task. */
@ParameterizedClass
@EnumSource(Driver.class)
class GroupedQueueIntegrationTests {

	private static final Duration LATER = Duration.ofSeconds(5);

	private static final String QUEUE = "grouped";

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final RedisServer server = RedisServer.startNew();

	@Parameter
	private Driver driver;

	private RedisStores stores;

	private RedisTaskStore store;

	private QueueOptions options = QueueOptions.DEFAULTS;

	private int claims;

	private RedisTaskStore store() {
		return open(null);
	}

	private RedisTaskStore open(@Nullable Integer concurrency) {
		if (this.stores == null) {
			this.stores = RedisStores.on(this.driver.connect(this.server)).clock(this.clock);
		}
		this.store = this.stores.open();
		QueueOptions.Builder options = QueueOptions.builder().with(GroupedQueues.ENABLED, true);
		this.options = (concurrency != null) ? options.with(GroupedQueues.CONCURRENCY, concurrency).build()
				: options.build();
		this.store.add(new GroupedQueues((queue) -> queue.equals(QUEUE) ? this.options : QueueOptions.DEFAULTS));
		return this.store;
	}

	@AfterEach
	void close() {
		if (this.stores != null) {
			assertThat(QueueCheck.of(this.stores.connections(), base("")).findings()).isEmpty();
			this.stores.close();
		}
		this.server.close();
	}

	@Test
	void taskBehindThousandsOfAnotherGroupIsInOneOfTheNextTwoClaims() {
		store();
		scheduleMany("A", 2000);
		assertThat(claim(10)).hasSize(10).allMatch((id) -> id.startsWith("A-"));
		schedule(in("b", "B"));
		assertThat(Stream.of(claim(1), claim(1)).flatMap(List::stream)).contains("b");
		schedule(in("c", "C"), Tasks.task("none"));
		assertThat(claim(10)).contains("c", "none").hasSizeGreaterThan(5);
	}

	@Test
	void groupIsNotTakenForEmptyAfterOneThatHasMoreThanWasReadAhead() {
		store();
		for (String name : List.of("A", "B", "C")) {
			int first = 'C' - name.charAt(0);
			schedule(IntStream.range(0, name.equals("C") ? 1 : 20)
				.mapToObj((i) -> in(name + "-" + i, name, Duration.ofMillis(first + 100L * i)))
				.toArray(NewTask[]::new));
		}
		this.clock.advance(Duration.ofMillis(50));
		assertThat(claim(500)).containsExactly("C-0", "B-0", "A-0");
		this.clock.advance(LATER);
		assertThat(claim(500)).hasSize(38);
	}

	@Test
	void tasksWithoutAGroupTakeOneTurnTogether() {
		store();
		this.store.schedule(QUEUE, IntStream.range(0, 50).mapToObj((i) -> Tasks.task("plain-" + i)).toList());
		scheduleMany("A", 50);
		for (int i = 0; i < 5; i++) {
			assertThat(claim(10)).filteredOn((id) -> id.startsWith("plain-")).hasSize(5);
		}
	}

	@Test
	void limitOfAGroupHoldsForAllInstancesAndCostsOthersNothing() {
		RedisTaskStore one = open(2);
		RedisTaskStore other = open(2);
		scheduleMany("A", 10);
		schedule(in("b", "B"), in("c", "C"));
		List<String> first = ids(claim(one, 10));
		assertThat(first).filteredOn((id) -> id.startsWith("A-")).hasSize(2);
		assertThat(first).contains("b", "c");
		ClaimResult full = claim(other, 10);
		assertThat(ids(full)).isEmpty();
		assertThat(full.wakeIn()).as("not at once: the group is full").isPositive();
		one.settle(QUEUE, List.of(Endings
			.complete(first.stream().filter((id) -> id.startsWith("A-")).findFirst().orElseThrow(), "t1", false)));
		assertThat(ids(claim(other, 10))).hasSize(1);
		assertThat(ids(claim(one, 10))).isEmpty();
	}

	@Test
	void everyEndOfADeliveryMakesRoomInItsGroup() {
		open(1);
		scheduleMany("A", 8);
		schedule(in("last", "A", LATER));
		String id = claim(5).get(0);
		settle(Endings.retry(id, token(), LATER, null));
		id = only();
		settle(Endings.deadLetter(id, token(), true, null));
		id = only();
		assertThat(this.store.cancel(QUEUE, id, Condition.NONE)).isTrue();
		id = only();
		schedule(in(id, "A", LATER));
		id = only();
		settle(Endings.release(id, token(), null));
		id = only();
		settle(Endings.complete(id, token(), true));
		only();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(claim(5)).as("of a dead consumer, whose place it keeps").hasSize(1);
	}

	private String only() {
		List<String> claimed = claim(5);
		assertThat(claimed).hasSize(1);
		assertThat(claim(5)).isEmpty();
		this.claims--;
		return claimed.get(0);
	}

	@Test
	void rateOfAGroupHoldsForAllInstancesAndLeavesNothingBehind() {
		RedisTaskStore one = open(null);
		this.options = this.options
			.withDefaults(QueueOptions.builder().with(GroupedQueues.RATE_LIMIT, new RateLimit(10, LATER)).build());
		RedisTaskStore other = this.stores.open();
		other.add(new GroupedQueues((queue) -> this.options));
		scheduleMany("A", 3);
		schedule(in("b", "B"));
		assertThat(ids(claim(one, 10))).hasSize(2).contains("b");
		assertThat(claim(other, 10)).returns(List.of(), GroupedQueueIntegrationTests::ids)
			.returns(LATER.dividedBy(10).minus(RateLimit.SAVED), ClaimResult::wakeIn);
		this.clock.advance(LATER.dividedBy(10).minus(RateLimit.SAVED));
		assertThat(ids(claim(other, 10))).hasSize(1);
		assertThat(ids(claim(one, 10))).isEmpty();
		assertThat(this.server.text("ZCARD", base(":rates"))).isEqualTo("2");
		assertThat(Long.parseLong(this.server.text("PTTL", base(":rates")))).isPositive();
		this.clock.advance(LATER);
		assertThat(ids(claim(one, 10))).hasSize(1).allMatch((id) -> id.startsWith("A-"));
		assertThat(this.server.text("ZRANGE", base(":rates"), "0", "-1")).as("what is over is gone").isEqualTo("[A]");
	}

	@Test
	void rateAfterTheClockWasSetBackStopsNobodyWhoHasNewTasks() {
		open(null);
		this.options = this.options
			.withDefaults(QueueOptions.builder().with(GroupedQueues.RATE_LIMIT, new RateLimit(10, LATER)).build());
		scheduleMany("A", 3);
		assertThat(claim(10)).hasSize(1);
		this.clock.advance(Duration.ofHours(-1));
		assertThat(claim(10)).isEmpty();
		schedule(in("new-1", "A"), in("new-2", "A"));
		assertThat(claim(10)).containsExactly("new-1");
		assertThat(claim(10)).isEmpty();
		this.clock.advance(LATER.dividedBy(10));
		assertThat(claim(10)).containsExactly("new-2");
	}

	@Test
	void whoSettlesWakesWhoWaitsForAFullGroup() throws Exception {
		RedisTaskStore one = open(1);
		RedisTaskStore other = open(1);
		scheduleMany("A", 2);
		String id = ids(claim(one, 1)).get(0);
		assertThat(ids(claim(other, 1))).isEmpty();
		assertThat(this.server.text("HGET", base(":meta"), "full")).isEqualTo("1");
		one.settle(QUEUE, List.of(Endings.complete(id, "t1", false)));
		assertThat(ids(claim(other, 1))).hasSize(1);
	}

	@Test
	void replaceMovesATaskToAnotherGroupAndRejectDoesNot() {
		store();
		schedule(in("a", "A", LATER));
		assertThat(this.store.schedule(QUEUE,
				List.of(Tasks.with(group("B"), Tasks.task("a", Duration.ZERO, Replacement.REJECT)))))
			.containsExactly(ScheduleOutcome.REJECTED);
		assertThat(claim(1)).isEmpty();
		assertThat(this.store.schedule(QUEUE, List.of(in("a", "B")))).containsExactly(ScheduleOutcome.REPLACED);
		assertThat(claim(1)).containsExactly("a");
		this.clock.advance(LATER);
		assertThat(claim(1)).isEmpty();
		assertThat(this.server.text("HGET", base(":slots"), "=A")).isIn("null", "");
	}

	@Test
	void groupStaysWithATaskWhateverBecomesOfIt() {
		open(1);
		schedule(in("a", "A"), in("other", "A", LATER));
		claim(1);
		settle(Endings.deadLetter("a", token(), true, null));
		assertThat(QueueControl.of(this.store).redrive(QUEUE, List.of("a"), DueSpan.NOW)).containsExactly(true);
		assertThat(claim(1)).containsExactly("a");
		settle(Endings.retry("a", token(), LATER, null));
		assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(Duration.ZERO), Condition.NONE)).isTrue();
		assertThat(claim(1)).containsExactly("a");
		this.clock.advance(LATER);
		assertThat(claim(1)).as("of the same group, which is full").isEmpty();
	}

	@Test
	void looksSeeDueTimesAndFigures() {
		store();
		scheduleMany("A", 3);
		schedule(in("later", "B", LATER), Tasks.task("plain"));
		assertThat(QueueView.of(this.store).stats(QUEUE)).satisfies((stats) -> {
			assertThat(stats.waiting()).isEqualTo(5);
			assertThat(stats.due()).isEqualTo(4);
			assertThat(stats.nextDueAt()).isEqualTo(TaskStoreFixture.START.plus(LATER));
		});
		assertThat(QueueView.of(this.store).find(QUEUE, "later").orElseThrow().dueAt())
			.isEqualTo(TaskStoreFixture.START.plus(LATER));
		assertThat(QueueView.of(this.store).list(QUEUE, TaskState.SCHEDULED, 0, 10, Contents.ALL)).extracting("id")
			.containsExactly("plain", "A-0", "A-1", "A-2", "later");
		assertThat(QueueControl.of(this.store).clear(QUEUE)).isEqualTo(5);
		assertThat(QueueControl.of(this.store).forget(QUEUE)).isTrue();
		assertThat(this.server.cli("KEYS", "*{" + QUEUE + "}*")).isEqualTo(List.of());
	}

	@Test
	void debouncedTaskHasAGroupToo() {
		store();
		NewTask task = Tasks.with(Debounce.of(LATER, LATER), in("a", "A"));
		schedule(new NewTask("a", task.envelope(), task.due(), task.priority(), task.onDuplicate(), false,
				List.of(group("A"), Debounce.of(LATER, LATER))));
		this.clock.advance(LATER);
		assertThat(claim(1)).containsExactly("a");
	}

	@Test
	void slotsOfGroupsWithoutTasksAreUsedAgain() {
		store();
		for (int round = 0; round < 3; round++) {
			String names = "round-" + round + "-";
			schedule(IntStream.range(0, 200).mapToObj((i) -> in("t" + i, names + i)).toArray(NewTask[]::new));
			List<String> claimed = new ArrayList<>();
			for (List<String> next = claim(50); !next.isEmpty(); next = claim(50)) {
				claimed.addAll(next);
				next.forEach((id) -> settle(Endings.complete(id, token(), false)));
			}
			assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
		}
		assertThat(this.server.text("ZCARD", base(":groups"))).isEqualTo("201");
		assertThat(this.server.text("HLEN", base(":slots"))).isEqualTo("0");
		assertThat(QueueControl.of(this.store).forget(QUEUE)).isTrue();
		assertThat(this.server.cli("KEYS", "*{" + QUEUE + "}*")).isEqualTo(List.of());
	}

	@Test
	void instanceWithoutThePropertySaysSoAndLosesNothing() {
		store();
		scheduleMany("A", 2);
		RedisTaskStore without = this.stores.open();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> without.claim(QUEUE, ClaimRequest.of("t", 1, LATER)))
			.withMessageContaining("groups.enabled");
		without.schedule(QUEUE, List.of(Tasks.task("plain"), Tasks.task("A-0")));
		assertThat(without.cancel(QUEUE, "A-1", Condition.NONE)).isTrue();
		assertThat(claim(10)).containsExactlyInAnyOrder("plain", "A-0");
	}

	@Test
	void tasksThatWereThereBeforeAreOfNoGroup() {
		store();
		RedisTaskStore without = this.stores.open();
		without.schedule(QUEUE, List.of(Tasks.task("old")));
		assertThat(without.claim(QUEUE, ClaimRequest.of("t", 1, LATER)).tasks()).hasSize(1);
		without.settle(QUEUE, List.of(Endings.release("old", "t", null)));
		schedule(in("a", "A"));
		assertThat(claim(10)).containsExactlyInAnyOrder("a", "old");
	}

	@Test
	void placeInAGroupThatSomebodyElseHasEndedIsFoundAgain() {
		open(1);
		scheduleMany("A", 2);
		String id = claim(1).get(0);
		assertThat(this.stores.open().cancel(QUEUE, id, Condition.NONE)).isTrue();
		assertThat(claim(1)).isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(claim(1)).hasSize(1);
	}

	@Test
	void figuresAreThoseOfEachGroup() {
		open(2);
		scheduleMany("A", 5);
		schedule(in("later", "B", LATER), Tasks.task("plain-later", LATER));
		schedule(Tasks.with(group("A"), new NewTask("A-high", Tasks.task("any").envelope(), DueTime.in(Duration.ZERO),
				TaskPriority.HIGH, Replacement.REPLACE)));
		assertThat(claim(1)).containsExactly("A-high");
		schedule(Tasks.task("plain"));
		assertThat(groups().figures(QUEUE, 0))
			.isEqualTo(new GroupFigures.Page(0, 2, List.of(new GroupFigures(null, 2, 1, null, false),
					new GroupFigures("A", 5, 5, 1L, false), new GroupFigures("B", 1, 0, 0L, false))));
		assertThat(groups().waiting(QUEUE, group("A"), 2)).satisfies((waiting) -> {
			assertThat(waiting.total()).isEqualTo(5);
			assertThat(waiting.ids()).hasSize(2).allMatch((id) -> id.startsWith("A-"));
		});
		assertThat(groups().waiting(QUEUE, group("C"), 2).total()).isZero();
	}

	@Test
	void figuresOfManyGroupsComeInParts() {
		store();
		schedule(IntStream.range(0, 450).mapToObj((i) -> in("t" + i, "g" + i)).toArray(NewTask[]::new));
		List<String> names = new ArrayList<>();
		long next = 0;
		do {
			GroupFigures.Page page = groups().figures(QUEUE, next);
			assertThat(page.total()).isEqualTo(450);
			assertThat(page.groups()).hasSizeLessThanOrEqualTo(200)
				.allMatch((group) -> group.due() == 1 && group.inFlight() == null);
			page.groups().forEach((group) -> names.add(group.group()));
			next = page.next();
		}
		while (next > 0);
		assertThat(names).hasSize(450).doesNotHaveDuplicates();
	}

	@Test
	void pausedGroupIsNotTakenUntilItIsResumed() {
		open(1);
		assertThat(groups().setPaused(QUEUE, group("B"), true)).as("before it has tasks").isTrue();
		assertThat(groups().setPaused(QUEUE, group("B"), true)).isFalse();
		scheduleMany("A", 3);
		scheduleMany("B", 3);
		schedule(in("A-later", "A", LATER));
		String id = only();
		assertThat(groups().setPaused(QUEUE, group("A"), true)).isTrue();
		settle(Endings.retry(id, token(), Duration.ZERO, null));
		schedule(in("A-0", "A"), in("A-new", "A"));
		this.clock.advance(LATER);
		assertThat(claim(10)).isEmpty();
		assertThat(groups().figures(QUEUE, 0).groups()).extracting(GroupFigures::paused).containsExactly(true, true);
		assertThat(groups().setPaused(QUEUE, group("A"), false)).isTrue();
		assertThat(groups().setPaused(QUEUE, group("A"), false)).isFalse();
		assertThat(only()).startsWith("A-");
		assertThat(groups().setPaused(QUEUE, group("B"), false)).isTrue();
		assertThat(only()).startsWith("B-");
		assertThat(groups().setPaused(QUEUE, group("C"), false)).isFalse();
	}

	private RedisGroups groups() {
		return new RedisGroups(this.store.scripts(), new GroupedQueues((queue) -> this.options));
	}

	@Test
	void nameOfAGroupCannotEndItsField() {
		for (String name : List.of("", "a\"", "a\\", "a\n", "x".repeat(Group.MAX_BYTES + 1))) {
			assertThatIllegalArgumentException().isThrownBy(() -> group(name));
		}
		store();
		String longest = "租".repeat(42) + "42";
		schedule(in("a", longest), in("b", "x"));
		assertThat(this.server.text("HGET", base(":slots"), "=" + longest)).isEqualTo("1");
		assertThat(claim(2)).containsExactlyInAnyOrder("a", "b");
	}

	private NewTask in(String id, String name) {
		return in(id, name, Duration.ZERO);
	}

	private NewTask in(String id, String name, Duration delay) {
		return Tasks.with(group(name), Tasks.task(id, delay));
	}

	private void schedule(NewTask... tasks) {
		this.store.schedule(QUEUE, List.of(tasks));
	}

	private void scheduleMany(String name, int tasks) {
		for (int first = 0; first < tasks; first += 500) {
			schedule(IntStream.range(first, Math.min(tasks, first + 500))
				.mapToObj((i) -> in(name + "-" + i, name))
				.toArray(NewTask[]::new));
		}
	}

	private List<String> claim(int limit) {
		return ids(claim(this.store, limit));
	}

	private ClaimResult claim(RedisTaskStore store, int limit) {
		return store.claim(QUEUE, ClaimRequest.of("t" + (++this.claims), limit, LATER.multipliedBy(2)));
	}

	private String token() {
		return "t" + this.claims;
	}

	private void settle(Settlement settlement) {
		assertThat(this.store.settle(QUEUE, List.of(settlement))).containsExactly(true);
	}

	private static List<String> ids(ClaimResult result) {
		return result.tasks().stream().map(ClaimedRecord::id).toList();
	}

	private String base(String end) {
		return Objects.requireNonNull(this.stores).keyPrefix() + "{" + QUEUE + "}" + end;
	}

}
