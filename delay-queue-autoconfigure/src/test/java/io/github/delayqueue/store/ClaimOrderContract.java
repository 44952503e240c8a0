package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * In which order a claim takes tasks: expired ones, then by priority, then by due time,
 * then by the bytes of the id; and how many expired ones.
 */
interface ClaimOrderContract extends TaskStoreFixture {

	@Test
	default void tasksOfOnePriorityAreTakenByDueTime() {
		schedule(task("a", Duration.ofMillis(3)), task("b", Duration.ofMillis(1)), task("c", Duration.ofMillis(2)));
		advance(SECOND);
		assertThat(ids(claim("t1"))).containsExactly("b", "c", "a");
	}

	@Test
	default void tasksDueInTheSameMillisecondAreTakenByTheBytesOfTheirIds() {
		String supplementary = "\uD83D\uDE00";
		String privateUse = "\uE000";
		// by UTF-16 units the supplementary character would come before the other
		scheduleDue(supplementary, "b", privateUse, "B", "\u00E9", "a", "10", "9");
		assertThat(ids(claim("t1"))).containsExactly("10", "9", "B", "a", "b", "\u00E9", privateUse, supplementary);
	}

	@Test
	default void eachTaskIsTakenWithItsOwnDueTimeHoweverManyShareIt() {
		Map<String, Instant> dueTimes = new LinkedHashMap<>();
		for (TaskPriority priority : List.of(TaskPriority.HIGH, TaskPriority.NORMAL)) {
			int millis = 0;
			for (int together : List.of(6, 4, 1, 3, 9, 2, 5, 1, 1, 1)) {
				millis++;
				for (int i = 0; i < together; i++) {
					String id = priority + "-" + millis + "-" + i;
					schedule(task(id, priority, Duration.ofMillis(millis)));
					dueTimes.put(id, now().plusMillis(millis));
				}
			}
		}
		advance(SECOND);
		List<ClaimedRecord> taken = new ArrayList<>(claim("t1", 7).tasks());
		taken.addAll(claim("t2", 50).tasks());
		taken.addAll(claim("t3", 50).tasks());
		assertThat(taken).extracting(ClaimedRecord::id).containsExactlyElementsOf(dueTimes.keySet());
		assertThat(taken).extracting(ClaimedRecord::dueAt).containsExactlyElementsOf(dueTimes.values());
	}

	@Test
	default void higherPriorityIsTakenFirstHoweverLateTheOthersAre() {
		schedule(task("low", TaskPriority.LOW, Duration.ofMillis(1)), task("normal", Duration.ofMillis(2)),
				task("high", TaskPriority.HIGH, Duration.ofMillis(3)),
				task("higher", TaskPriority.HIGH, Duration.ofMillis(2)));
		advance(SECOND);
		assertThat(ids(claim("t1", 3))).containsExactly("higher", "high", "normal");
		assertThat(ids(claim("t2"))).containsExactly("low");
	}

	@Test
	default void priorityOfATaskThatIsNotDueHoldsNobodyBack() {
		schedule(task("high", TaskPriority.HIGH, SECOND), task("low", TaskPriority.LOW, Duration.ZERO));
		assertThat(ids(claim("t1"))).containsExactly("low");
	}

	@Test
	default void oldestFirstTakesByDueTimeWhateverThePriority() {
		schedule(task("high", TaskPriority.HIGH, Duration.ofMillis(3)),
				task("higher", TaskPriority.HIGH, Duration.ofMillis(4)),
				task("low", TaskPriority.LOW, Duration.ofMillis(1)), task("normal", Duration.ofMillis(2)),
				task("early", TaskPriority.LOW, Duration.ofMinutes(1)));
		advance(SECOND);
		assertThat(ids(oldestFirst("t1", 3))).containsExactly("low", "normal", "high");
		assertThat(ids(oldestFirst("t2", 3))).containsExactly("higher");
	}

	@Test
	default void priorityStaysThroughRetryReleaseExpiryAndRescheduling() {
		schedule(task("low", TaskPriority.LOW, Duration.ZERO), task("high", TaskPriority.HIGH, Duration.ZERO));
		claim("t1");
		settle(Settlement.retry("high", "t1", Duration.ZERO, null));
		settle(Settlement.release("low", "t1", null));
		assertThat(ids(claim("t2"))).containsExactly("high", "low");
		advance(TTR);
		assertThat(claim("t3", 4).tasks()).extracting(ClaimedRecord::priority)
			.containsExactlyInAnyOrder(TaskPriority.HIGH, TaskPriority.LOW);
		settle(Settlement.retry("high", "t3", Duration.ofMinutes(1), null));
		settle(Settlement.retry("low", "t3", Duration.ofMinutes(1), null));
		assertThat(found("high").priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(found("low").priority()).isEqualTo(TaskPriority.LOW);
		store().reschedule(queue(), "high", DueTime.in(Duration.ZERO));
		store().reschedule(queue(), "low", DueTime.in(Duration.ZERO));
		assertThat(ids(claim("t4"))).containsExactly("high", "low");
	}

	@Test
	default void expiredTasksAreTakenFirstByDeadline() {
		scheduleDue("a", "b");
		claim("t1");
		extend("a", "t1", Duration.ofSeconds(20));
		extend("b", "t1", Duration.ofSeconds(10));
		advance(TTR);
		schedule(task("high", TaskPriority.HIGH, Duration.ZERO));
		assertThat(ids(claim("t2"))).containsExactly("b", "a", "high");
	}

	@Test
	default void expiredTasksAreAtMostHalfOfTheLimit() {
		expire("a", "b", "c", "d");
		scheduleDue("due-1", "due-2", "due-3");
		ClaimResult result = claim("t2", 5);
		assertThat(ids(result)).containsExactly("a", "b", "due-1", "due-2", "due-3");
		assertThat(result.wakeIn()).as("more has expired").isEqualTo(Duration.ZERO);
		assertThat(stats().expired()).isEqualTo(2);
		assertThat(ids(claim("t3", 5))).containsExactly("c", "d");
	}

	@Test
	default void expiredTasksDoNotFillTheShareOfDueOnes() {
		expire("a", "b", "c", "d");
		ClaimResult result = claim("t2", 4);
		assertThat(ids(result)).containsExactly("a", "b");
		assertThat(result.wakeIn()).isEqualTo(Duration.ZERO);
	}

	@Test
	default void oneExpiredTaskIsTakenByAClaimOfOne() {
		expire("a", "b");
		scheduleDue("due");
		assertThat(ids(claim("t2", 1))).containsExactly("a");
	}

	@Test
	default void expiredTasksAreAtMostTheExpiredLimit() {
		expire("a", "b", "c");
		scheduleDue("due-1", "due-2");
		assertThat(ids(claimExpired("t2", 10, 1))).containsExactly("a", "due-1", "due-2");
		assertThat(claimExpired("t3", 10, 0).tasks()).isEmpty();
		assertThat(listed(TaskState.IN_FLIGHT)).contains("b", "c");
		assertThat(totals().expired()).isOne();
	}

	@Test
	default void claimTakesOneTaskThatMayLoseNoFurtherLeaseAndLeavesTheOthers() {
		expire("a", "b", "c", "d");
		scheduleDue("due-1", "due-2");
		ClaimResult first = claim("t2", 8, 2, true);
		assertThat(ids(first)).containsExactly("a", "due-1", "due-2");
		assertThat(first.leaves()).isTrue();
		assertThat(first.wakeIn()).as("another claim takes another").isEqualTo(Duration.ZERO);
		assertThat(ids(claim("t3", 8, 2, true))).containsExactly("b");
		assertThat(ids(claim("t4", 8, 3, true))).as("those that may lose another lease").containsExactly("c", "d");
		assertThat(totals().expired()).isEqualTo(4);
	}

	@Test
	default void claimThatTakesNoTaskThatMayLoseNoFurtherLeasePassesOverThem() {
		expire("a", "b");
		scheduleDue("due");
		schedule(task("later", SECOND));
		assertThat(ids(claim("t2", 8, 2, false))).containsExactly("due");
		ClaimResult result = claim("t3", 8, 2, false);
		assertThat(result.tasks()).isEmpty();
		assertThat(result.leaves()).isTrue();
		assertThat(result.wakeIn()).as("not at once for what stays").isEqualTo(SECOND);
		assertThat(ids(claim("t4", 8, 2, true))).containsExactly("a");
		assertThat(claim("t5", 8, 1, false).leaves()).as("died already").isFalse();
	}

	@Test
	default void tasksThatMayLoseNoFurtherLeaseAreNotInTheWayOfOthers() {
		String[] dangerous = IntStream.range(0, 300)
			.mapToObj((i) -> "dangerous-%03d".formatted(i))
			.toArray(String[]::new);
		scheduleDue(dangerous);
		claim("t1", 300);
		advance(TTR);
		claim("t2", TaskStore.MAX_BATCH);
		claim("t3", TaskStore.MAX_BATCH);
		assertThat(totals().expired()).isEqualTo(300);
		store().settle(queue(),
				Stream.of(dangerous)
					.map((id) -> Settlement.release(id, id.compareTo("dangerous-250") < 0 ? "t2" : "t3", null))
					.toList());
		schedule(task("first", TaskPriority.HIGH, Duration.ZERO), task("low", TaskPriority.LOW, Duration.ZERO));
		scheduleDue("other-1", "other-2", "other-3");
		assertThat(ids(claim("t4", 3, 2, true))).containsExactly("first", "dangerous-000", "other-1");
		assertThat(ids(claim("t5", 2, 2, false))).containsExactly("other-2", "other-3");
		assertThat(ids(claim("t6", 8, 2, false))).containsExactly("low");
		ClaimResult left = claim("t7", 8, 2, false);
		assertThat(left.tasks()).isEmpty();
		assertThat(left.leaves()).isTrue();
		assertThat(ids(claim("t8", 8, 2, true))).containsExactly("dangerous-001");
	}

	@Test
	default void claimOfTheOldestTakesOneTaskThatMayLoseNoFurtherLeaseWhateverItsPriority() {
		schedule(task("high", TaskPriority.HIGH, Duration.ZERO), task("low", TaskPriority.LOW, Duration.ZERO));
		claim("t1");
		advance(TTR);
		claim("t2");
		settle(Settlement.release("low", "t2", Duration.ZERO));
		advance(SECOND);
		settle(Settlement.release("high", "t2", Duration.ZERO));
		scheduleDue("other");
		ClaimResult result = store().claim(queue(),
				new ClaimRequest("t3", 8, 8, TTR, ClaimRequest.DEFAULT_MAX_BYTES, true, KEEP)
					.withLastChance(new ClaimRequest.LastChance(2, true)));
		assertThat(ids(result)).containsExactly("low", "other");
		assertThat(ids(claim("t4"))).containsExactly("high");
	}

	private ClaimResult claim(String token, int limit, int maxExpiries, boolean takesLastChance) {
		return store().claim(queue(),
				new ClaimRequest(token, limit, limit, TTR, ClaimRequest.DEFAULT_MAX_BYTES, false, KEEP)
					.withLastChance(new ClaimRequest.LastChance(maxExpiries, takesLastChance)));
	}

	private void expire(String... ids) {
		scheduleDue(ids);
		claim("t1");
		advance(TTR);
	}

	private ClaimResult claimExpired(String token, int limit, int expiredLimit) {
		return store().claim(queue(),
				new ClaimRequest(token, limit, expiredLimit, TTR, ClaimRequest.DEFAULT_MAX_BYTES, false, KEEP));
	}

	private ClaimResult oldestFirst(String token, int limit) {
		return store().claim(queue(),
				new ClaimRequest(token, limit, limit, TTR, ClaimRequest.DEFAULT_MAX_BYTES, true, KEEP));
	}

}
