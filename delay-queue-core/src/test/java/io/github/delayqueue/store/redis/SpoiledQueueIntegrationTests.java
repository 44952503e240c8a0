package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.SettlementKind;
import io.github.delayqueue.store.StoredTask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Each step on a queue that somebody has spoiled: it is carried out, or refused before it
 * has changed anything.
 */
class SpoiledQueueIntegrationTests extends AbstractSeededQueueIntegrationTests {

	private static final List<String> SUFFIXES = List.of("", ":high", ":low", ":leases", ":tasks", ":deliveries",
			":errors", ":dead", ":completed", ":meta", ":hours");

	static List<String> stepNames() {
		return List.copyOf(steps().keySet());
	}

	private static Map<String, Consumer<String>> steps() {
		Map<String, Consumer<String>> steps = new LinkedHashMap<>();
		steps.put("schedule new", (queue) -> store.schedule(queue, List.of(task("new"))));
		steps.put("schedule generated", (queue) -> store.schedule(queue, List.of(generated("generated"))));
		steps.put("schedule known",
				(queue) -> store.schedule(queue, List.of(task("n"), task("x"), task("d"), task("c"), task("orphan"))));
		steps.put("schedule newer", (queue) -> store.schedule(queue,
				List.of(newer("n"), newer("x"), newer("d"), newer("c"), newer("orphan"), newer("fresh"))));
		steps.put("schedule debounced", (queue) -> store.schedule(queue, List.of(debounced("n"), debounced("new"))));
		steps.put("claim", (queue) -> store.claim(queue, ClaimRequest.of("t", 3, Duration.ofSeconds(5))));
		steps.put("claim the oldest", (queue) -> store.claim(queue,
				new ClaimRequest("t", 3, 1, true, false, ClaimTerms.of(Duration.ofSeconds(5), List.of(), 2))));
		steps.put("tend", (queue) -> store.requireRole(TaskRetention.class)
			.tend(queue, new Retention(Duration.ofSeconds(1), Duration.ofSeconds(1), 1L)));
		for (Settlement settlement : List.of(Endings.complete("x", "token", false),
				Endings.complete("x", "token", true), Endings.retry("x", "token", Duration.ZERO, new byte[1]),
				Endings.deadLetter("x", "token", true, new byte[1]),
				Endings.release("x", "token", Duration.ofSeconds(1)), Endings.release("x", "wrong", null),
				Endings.drop("x", "token"))) {
			steps.put(SettlementKind.of(settlement) + " with " + settlement.token(),
					(queue) -> store.settle(queue, List.of(settlement)));
		}
		steps.put("extend",
				(queue) -> store.extend(queue, List.of(new Extension("x", "token", Duration.ofSeconds(9)))));
		steps.put("cancel", (queue) -> store.cancel(queue, "n"));
		steps.put("reschedule", (queue) -> store.reschedule(queue, "n", DueTime.in(Duration.ofSeconds(9))));
		steps.put("cancel by generation", (queue) -> store.cancel(queue, "n", Generation.upTo(9)));
		steps.put("reschedule by generation",
				(queue) -> store.reschedule(queue, "g", DueTime.in(Duration.ofSeconds(9)), Generation.exactly(1, 9)));
		steps.put("learn", (queue) -> store.requireRole(SourceNumbers.class).learn(queue, "8", true));
		steps.put("beat", (queue) -> store.requireRole(Incarnations.class).beat(queue, Epoch.NONE, "new"));
		steps.put("redrive", (queue) -> QueueControl.of(store).redrive(queue, List.of("d")));
		steps.put("purge dead", (queue) -> QueueControl.of(store).purge(queue, TaskState.DEAD, 9));
		steps.put("purge completed", (queue) -> QueueControl.of(store).purge(queue, TaskState.COMPLETED, 9));
		steps.put("purge completed by id",
				(queue) -> QueueControl.of(store).purge(queue, TaskState.COMPLETED, Map.of("d", 1L)));
		steps.put("purge by id", (queue) -> QueueControl.of(store).purge(queue, TaskState.DEAD, Map.of("d", 1L)));
		steps.put("clear", (queue) -> QueueControl.of(store).clear(queue));
		steps.put("pause", (queue) -> QueueControl.of(store).setPaused(queue, true));
		steps.put("resume", (queue) -> QueueControl.of(store).setPaused(queue, false));
		steps.put("find", (queue) -> store.find(queue, "n"));
		steps.put("list", (queue) -> QueueView.of(store).list(queue, TaskState.DEAD, 0, 9));
		steps.put("glance", (queue) -> QueueView.of(store).list(queue, TaskState.DEAD, 0, 9, Contents.SMALL));
		steps.put("stats", (queue) -> QueueView.of(store).stats(queue));
		steps.put("history", (queue) -> QueueView.of(store).history(queue));
		steps.put("forget", (queue) -> QueueControl.of(store).forget(queue));
		return steps;
	}

	@ParameterizedTest
	@MethodSource("stepNames")
	void keyOfAnotherTypeIsRefusedBeforeAnythingIsWritten(String step) {
		List<String> refused = new ArrayList<>();
		for (String suffix : SUFFIXES) {
			seed();
			server.cli("DEL", key(suffix));
			server.cli("SET", key(suffix), "something else");
			List<Object> before = dump();
			try {
				steps().get(step).accept(this.queue);
			}
			catch (DelayQueueException ex) {
				assertThat(ex).hasMessageContaining("queue '" + this.queue + "'")
					.hasMessageContaining("has the wrong type");
				assertThat(dump()).as("after %s was refused because of %s", step, key(suffix)).isEqualTo(before);
				refused.add(suffix);
			}
			SUFFIXES.forEach((each) -> server.cli("DEL", key(each)));
		}
		assertThat(refused).as("keys without which it cannot be done").isNotEmpty();
	}

	@Test
	void valuesFarLongerThanOursAreNotReadByWhoeverLooks() {
		seed();
		String huge = "9".repeat(2_000_000);
		for (String suffix : List.of(":errors", ":deliveries")) {
			this.keyspace.seed(suffix, "d", huge, "c", huge, "n", huge);
		}
		this.keyspace.seed(":meta", "scheduled", huge, "partitions", huge, "orphans", huge, "unknown", huge);
		for (TaskState state : List.of(TaskState.DEAD, TaskState.COMPLETED, TaskState.SCHEDULED)) {
			assertThat(QueueView.of(store).list(this.queue, state, 0, 9, Contents.SMALL))
				.filteredOn((task) -> List.of("d", "c", "n").contains(task.id()))
				.hasSize(1)
				.allSatisfy((task) -> {
					assertThat(task.failure()).isEmpty();
					assertThat(task.failures()).isZero();
				});
		}
		assertThat(store.find(this.queue, "d")).get().extracting(StoredTask::failure).isEqualTo(new byte[0]);
		assertThat(QueueView.of(store).stats(this.queue).totals().scheduled()).isZero();
		assertThat(QueueView.of(store).stats(this.queue).partitions()).isEqualTo(1);
		assertThat(check().findings()).extracting(QueueCheck.Finding::kind)
			.contains(QueueCheck.Kind.UNREADABLE_TOTAL, QueueCheck.Kind.UNREADABLE_DELIVERY);
	}

	@ParameterizedTest
	@MethodSource("stepNames")
	void totalsThatAreNoNumbersEndNoStep(String step) {
		seed();
		for (String total : List.of("scheduled", "completed", "retried", "buried", "cancelled", "replaced", "cleared",
				"purged", "redriven", "expired", "stale", "late", "handling", "orphans")) {
			this.keyspace.seed(":meta", total, step.contains("c") ? "9223372036854775807" : "no number");
		}
		this.keyspace.seed(":meta", "unknown", "1");
		steps().get(step).accept(this.queue);
		assertThat(QueueView.of(store).stats(this.queue)).isNotNull();
		assertPlaces();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", ":::", "::::", "0:0:n", "1:2:x:3:t", "-1:0:n:5:t", "0:-1:n:5:t",
			"0:0:n:-5:t", "0:0:n:1e5:t", "1.5:0:n:5:t", "::n::t" })
	void deliveryThatIsNoneCountsAsTheFirst(String record) {
		this.keyspace.seed("", "a", "9000")
			.seed(":leases", "x", "9000")
			.seed(":tasks", "a", "A", "x", "X")
			.seed(":deliveries", "a", record, "x", record)
			.seed(":meta", "scheduled", "2");
		ClaimResult claimed = store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5)));
		assertThat(claimed.tasks()).extracting("id", "failures", "leasesLost", "priority")
			.containsExactly(tuple("x", 0, 1, TaskPriority.NORMAL), tuple("a", 0, 0, TaskPriority.NORMAL));
		assertSettles("a", "x");
	}

	@Test
	void countsOutOfBoundsAreBroughtWithin() {
		String huge = "9".repeat(320);
		this.keyspace.seed("", "a", "9000")
			.seed(":leases", "x", "9000", "y", "9000")
			.seed(":tasks", "a", "A", "x", "X", "y", "Y")
			.seed(":deliveries", "a", huge + ":" + huge + ":l:" + huge + ":", "x",
					huge + ":" + huge + ":h:" + huge + ":t", "y", "0:2147483647:h:99999999999999999999:t")
			.seed(":meta", "scheduled", "3");
		ClaimResult claimed = store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5)));
		assertThat(claimed.tasks()).extracting(ClaimedRecord::leasesLost)
			.containsExactly(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1);
		assertThat(claimed.tasks()).allMatch((task) -> task.dueAt().toEpochMilli() <= DueTime.MAX_EPOCH_MILLIS);
		assertThat(store.settle(this.queue,
				List.of(Endings.retry("a", "t", Duration.ZERO, new byte[1]), Endings.release("x", "t", null))))
			.containsOnly(true);
		assertThat(store.find(this.queue, "a")).get().returns(Integer.MAX_VALUE, StoredTask::failures);
		assertThat(store.find(this.queue, "x")).get()
			.returns(Instant.ofEpochMilli(DueTime.MAX_EPOCH_MILLIS), StoredTask::dueAt);
	}

	@Test
	void deliveryThatIsSpoiledWhileInFlightIsStaleAndItsTaskClaimedAgain() {
		this.keyspace.seed(":leases", "x", "9000")
			.seed(":tasks", "x", "X")
			.seed(":deliveries", "x", "0:0:x:9000:token")
			.seed(":meta", "scheduled", "1");
		assertThat(store.extend(this.queue, List.of(new Extension("x", "token", Duration.ofSeconds(1)))))
			.containsExactly(false);
		assertThat(store.settle(this.queue, List.of(Endings.release("x", "token", null)))).containsExactly(false);
		store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5)));
		assertSettles("x");
	}

	@Test
	void idsWithoutRecordAreDeletedAndNotRedriven() {
		this.keyspace.seed(":dead", "ghost", "9000", "spirit", "9000")
			.seed(":meta", "scheduled", "2", "buried", "2", "orphans", "2");
		assertThat(QueueControl.of(store).redrive(this.queue, List.of("ghost"))).containsExactly(false);
		assertThat(QueueView.of(store).stats(this.queue).retrying()).isZero();
		assertThat(QueueControl.of(store).purge(this.queue, TaskState.DEAD, 10)).isEqualTo(2);
		QueueControl.of(store).setPaused(this.queue, true);
		assertThat(this.keyspace.dump()).singleElement().asString().startsWith("meta ").contains(" paused=1 ");
		this.keyspace.assertInvariant();
	}

	@ParameterizedTest
	@ValueSource(strings = { "-inf", "-1e300", "-1", "1.5", "9999.999", "1e-300" })
	void scoreThatIsNoTimeIsDue(String score) {
		this.keyspace.seed("", "a", score).seed(":tasks", "a", "A").seed(":meta", "scheduled", "1");
		assertThat(QueueView.of(store).stats(this.queue).due()).isEqualTo(1);
		assertThat(QueueView.of(store).list(this.queue, TaskState.SCHEDULED, 0, 10)).hasSize(1);
		ClaimResult claimed = store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5)));
		assertThat(claimed.tasks()).hasSize(1);
		assertThat(claimed.tasks().get(0).dueAt()).isBetween(Instant.EPOCH, claimed.now());
		assertSettles("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "inf", "1e300", "9e15", "253402300800000" })
	void scoreBeyondAllTimesIsNeverDueAndCanBeLookedAt(String score) {
		this.keyspace.seed("", "a", score)
			.seed(":leases", "x", score)
			.seed(":dead", "d", score)
			.seed(":completed", "c", score)
			.seed(":tasks", "a", "A", "x", "X", "d", "D", "c", "C")
			.seed(":deliveries", "x", "0:0:n:1:t", "d", "0:0:n:1:", "c", "0:0:n:1:")
			.seed(":meta", "scheduled", "4", "completed", "1");
		ClaimResult claimed = store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5)));
		assertThat(claimed.tasks()).isEmpty();
		assertThat(QueueView.of(store).stats(this.queue).waiting()).isEqualTo(1);
		for (TaskState state : TaskState.values()) {
			assertThat(QueueView.of(store).list(this.queue, state, 0, 10)).extracting(StoredTask::at)
				.containsExactly(Instant.ofEpochMilli(DueTime.MAX_EPOCH_MILLIS));
		}
		assertThat(QueueControl.of(store).redrive(this.queue, List.of("d"))).containsExactly(true);
		assertThat(store.cancel(this.queue, "a")).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			value = { "'' | 7 | new | 8", "a b | 7 | new | 8", "- | 7 | new | 8", "old | - | old | 1",
					"old | many | old | 1", "old | -5 | old | 1", "old | 1e3 | old | 1", "old | 0x10 | old | 1",
					"old | 9999999999999999 | old | 1", "old | 999999999999999 | old | 1000000000000000" })
	void epochThatIsNoneIsOneThatIsMissing(String epoch, String beat, String incarnation, long number) {
		if (epoch != null) {
			this.keyspace.seed(":meta", "epoch", epoch);
		}
		if (beat != null) {
			this.keyspace.seed(":meta", "beat", beat);
		}
		assertThat(store.requireRole(Incarnations.class).beat(this.queue, Epoch.NONE, "new"))
			.isEqualTo(new Epoch(incarnation, number));
		assertThat(this.keyspace.dump()).containsExactly("meta beat=" + number + " epoch=" + incarnation);
	}

	@Test
	void namesThatAreNoneAreNoQueues() {
		String key = PREFIX + "names";
		for (String name : List.of("a}x", "{a}", "a b", "", "x".repeat(129), "a\n", "../a", "ü", this.queue)) {
			server.cli("SADD", key, name);
		}
		assertThat(QueueView.of(store).queues()).contains(this.queue)
			.allMatch((name) -> name.matches("[A-Za-z0-9_\\-.:]{1,128}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "e-5:a", "1e:a", "1e-:a", "1e-1234:a", "1.:a", ".5:a", "--1:a", "infinity:a", "nan:a",
			"1 :a", "123456789012345678901:a", "(1:a" })
	void cursorWhoseScoreNoServerSaysIsRefused(String cursor) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> QueueView.of(store).dead(this.queue, DeadSearch.byCause(Instant.MAX).from(cursor)))
			.withMessage("The cursor is not one that was returned");
	}

	private void seed() {
		this.keyspace.seed("", "n", "9000", "later", "20000", "g", "20000")
			.seed(":high", "h", "9000")
			.seed(":low", "l", "9000", "l2", "9000")
			.seed(":leases", "x", "9500")
			.seed(":dead", "d", "1000", "d2", "2000", "orphan", "3000")
			.seed(":completed", "c", "1000")
			.seed(":tasks", "g", "{\"g\":\"0000000000000001\"}", "n", "N", "later", "L", "h", "H", "l", "L", "l2", "L",
					"x", "X", "d", "D", "d2", "D", "c", "C")
			.seed(":deliveries", "x", "1:0:n:9000:token", "d", "1:0:n:500:", "d2", "1:0:n:500:", "c", "0:0:n:500:")
			.seed(":errors", "x", "E", "d", "E")
			.seed(":meta", "scheduled", "11", "completed", "1", "orphans", "1", "paused", "0");
	}

	private void assertSettles(String... ids) {
		assertThat(store.settle(this.queue,
				Stream.of(ids).map((id) -> Endings.retry(id, "t", Duration.ofSeconds(1), new byte[1])).toList()))
			.containsOnly(true);
		this.keyspace.assertInvariant();
	}

	/** What the invariant says but for the totals, which are spoiled. */
	private void assertPlaces() {
		List<String> places = new ArrayList<>();
		for (String suffix : List.of("", ":high", ":low", ":leases", ":dead", ":completed")) {
			((List<?>) server.cli("ZRANGE", key(suffix), "0", "-1")).forEach((id) -> places.add((String) id));
		}
		places.removeIf("orphan"::equals);
		List<String> tasks = ((List<?>) server.cli("HKEYS", key(":tasks"))).stream()
			.map(String.class::cast)
			.filter((id) -> !"orphan".equals(id))
			.toList();
		assertThat(places).containsAll(tasks).doesNotHaveDuplicates();
	}

	private List<Object> dump() {
		List<Object> dump = new ArrayList<>();
		for (String suffix : SUFFIXES) {
			Object type = server.cli("TYPE", key(suffix));
			dump.add(suffix + " is " + type);
			if ("hash".equals(type)) {
				dump.add(server.cli("HGETALL", key(suffix)));
			}
			if ("zset".equals(type)) {
				dump.add(server.cli("ZRANGE", key(suffix), "0", "-1", "WITHSCORES"));
			}
		}
		return dump;
	}

	private static NewTask task(String id) {
		return new NewTask(id, "E".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
				Replacement.REPLACE);
	}

	private static NewTask debounced(String id) {
		return Tasks.with(Debounce.of(Duration.ofSeconds(5), Duration.ofSeconds(5)), Tasks.task(id));
	}

	private static NewTask newer(String id) {
		return new NewTask(id, Generation.mark(new byte[] { '{', '}' }, 9), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.NEWER);
	}

	private static NewTask generated(String id) {
		NewTask task = task(id);
		return new NewTask(id, task.envelope(), task.due(), task.priority(), task.onDuplicate(), true);
	}

}
