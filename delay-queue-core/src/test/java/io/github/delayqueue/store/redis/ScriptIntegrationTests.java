package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Each script by itself: seed the whole state, call, compare the whole state and the
 * invariant.
 */
class ScriptIntegrationTests extends AbstractSeededQueueIntegrationTests {

	@AfterEach
	void invariantHolds() {
		this.keyspace.assertInvariant();
	}

	@Test
	void scheduleStoresNewTasksByPriority() {
		assertThat(store.schedule(this.queue, List.of(task("a", TaskPriority.NORMAL, 500),
				task("b", TaskPriority.HIGH, 0), task("c", TaskPriority.LOW, 1))))
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(this.keyspace.dump()).containsExactly("base a=10500", "high b=10000", "low c=10001",
				"tasks a=A b=B c=C", "meta layout=1 scheduled=3");
	}

	@Test
	void scheduleOfTheFirstTaskOfAQueueWritesTheLayout() {
		store.schedule(this.queue, List.of(generated("a", DueTime.in(Duration.ZERO))));
		assertThat(this.keyspace.dump()).containsExactly("base a=10000", "tasks a=A", "meta layout=1 scheduled=1");
	}

	@ParameterizedTest
	@EnumSource(TaskState.class)
	void scheduleOfAGeneratedIdThatIsKnownLeavesNothingOfTheOldTask(TaskState state) {
		String place = switch (state) {
			case SCHEDULED -> ":high";
			case IN_FLIGHT -> ":leases";
			case COMPLETED -> ":completed";
			case DEAD -> ":dead";
		};
		boolean completed = state == TaskState.COMPLETED;
		this.keyspace.seed(place, "a", "20000")
			.seed(":tasks", "a", "1")
			.seed(":deliveries", "a", "1:0:h:8000:" + ((state == TaskState.IN_FLIGHT) ? "token" : ""))
			.seed(":errors", "a", "x")
			.seed(":meta", "scheduled", "1", "completed", completed ? "1" : "0");
		assertThat(store.schedule(this.queue, List.of(generated("a", DueTime.in(Duration.ofMillis(7))))))
			.containsExactly(ScheduleOutcome.CREATED);
		assertThat(this.keyspace.dump()).hasSize(3)
			.startsWith("base a=10007", "tasks a=A")
			.last()
			.matches((meta) -> completed != meta.contains("replaced=1"));
	}

	@Test
	void rescheduleByGenerationLeavesAnIdWithoutRecord() {
		this.keyspace.seed("", "a", "20000").seed(":meta", "scheduled", "1");
		assertThat(store.reschedule(this.queue, "a", DueTime.in(Duration.ofSeconds(60)), Generation.exactly(4, 5)))
			.isFalse();
		assertThat(this.keyspace.dump()).containsExactly("base a=20000", "meta scheduled=1");
		assertThat(store.cancel(this.queue, "a", Generation.upTo(0))).isTrue();
	}

	@Test
	void rescheduleByGenerationExchangesTheDigitsAndNothingElse() {
		this.keyspace.seed(":high", "a", "20000")
			.seed(":tasks", "a", "{\"g\":\"0000000000000004\",\"v\":1,\"p\":\"é\"}")
			.seed(":deliveries", "a", "1:0:h:8000:")
			.seed(":errors", "a", "x")
			.seed(":meta", "scheduled", "1");
		assertThat(store.reschedule(this.queue, "a", DueTime.in(Duration.ofSeconds(60)),
				Generation.exactly(4, 1_795_195_739_264_123L)))
			.isTrue();
		assertThat(this.keyspace.dump()).containsExactly("high a=70000",
				"tasks a={\"g\":\"1795195739264123\",\"v\":1,\"p\":\"é\"}", "deliveries a=1:0:h:8000:", "errors a=x",
				"meta scheduled=1");
	}

	@Test
	void scheduleLeavesNothingOfAnIdThatWasWithoutRecord() {
		this.keyspace.seed("", "a", "5000")
			.seed(":high", "b", "5000", "c", "5000")
			.seed(":leases", "d", "20000")
			.seed(":completed", "e", "9000")
			.seed(":dead", "f", "9000")
			.seed(":deliveries", "b", "1:0:n:8000:", "d", "0:0:n:8000:old", "g", "0:0:n:8000:old")
			.seed(":errors", "b", "x")
			.seed(":meta", "scheduled", "6", "completed", "1");
		assertThat(store.schedule(this.queue,
				List.of(rejected("a"), task("b", TaskPriority.NORMAL, 2), task("c", TaskPriority.LOW, 3),
						task("d", TaskPriority.NORMAL, 4), task("e", TaskPriority.NORMAL, 5),
						task("f", TaskPriority.NORMAL, 6), task("g", TaskPriority.NORMAL, 7))))
			.containsOnly(ScheduleOutcome.CREATED);
		assertThat(store.settle(this.queue,
				List.of(Endings.complete("d", "old", false), Endings.complete("g", "old", false))))
			.containsExactly(false, false);
		assertThat(this.keyspace.dump()).containsExactly("base b=10002 d=10004 e=10005 f=10006 g=10007", "high a=10000",
				"low c=10003", "tasks a=new b=B c=C d=D e=E f=F g=G",
				"meta completed=1 replaced=5 scheduled=13 stale=2");
	}

	@Test
	void claimTakesLostLeasesAndThenDueTasksByPriority() {
		this.keyspace.seed("", "n1", "9000", "n2", "9500", "later", "10001")
			.seed(":high", "h", "10000")
			.seed(":leases", "x", "10000", "y", "10001")
			.seed(":tasks", "n1", "N1", "n2", "N2", "later", "L", "h", "H", "x", "X", "y", "Y")
			.seed(":deliveries", "n2", "2:1:n:7000:", "x", "1:0:l:6000:old", "y", "0:0:n:6000:other")
			.seed(":meta", "scheduled", "6");
		ClaimResult result = store.claim(this.queue, ClaimRequest.of("token", 10, Duration.ofSeconds(5)));
		assertThat(result.tasks()).extracting("id", "failures", "leasesLost", "leaseLost", "priority")
			.containsExactly(tuple("x", 1, 1, true, TaskPriority.LOW), tuple("h", 0, 0, false, TaskPriority.HIGH),
					tuple("n1", 0, 0, false, TaskPriority.NORMAL), tuple("n2", 2, 1, false, TaskPriority.NORMAL));
		assertThat(result.now()).isEqualTo(Instant.ofEpochMilli(10_000));
		assertThat(result.wakeIn()).isEqualTo(Duration.ofMillis(1));
		assertThat(this.keyspace.dump()).containsExactly("base later=10001",
				"leases h=15000 n1=15000 n2=15000 x=15000 y=10001", "tasks h=H later=L n1=N1 n2=N2 x=X y=Y",
				"deliveries h=0:0:h:10000:token n1=0:0:n:9000:token n2=2:1:n:9500:token x=1:1:l:6000:token "
						+ "y=0:0:n:6000:other",
				"meta expired=1 scheduled=6 tended=10000");
	}

	@Test
	void claimDeadLettersIdsWithoutRecord() {
		this.keyspace.seed("", "a", "9000", "ghost", "9001")
			.seed(":leases", "spirit", "9000")
			.seed(":tasks", "a", "A")
			.seed(":deliveries", "spirit", "0:0:n:8000:old")
			.seed(":meta", "scheduled", "3");
		ClaimResult result = store.claim(this.queue, ClaimRequest.of("token", 10, Duration.ofSeconds(5)));
		assertThat(result.tasks()).extracting("id").containsExactly("a");
		assertThat(result.notes().orphans()).containsExactlyInAnyOrder("ghost", "spirit");
		assertThat(this.keyspace.dump()).containsExactly("leases a=15000", "dead ghost=10000 spirit=10000", "tasks a=A",
				"deliveries a=0:0:n:9000:token", "meta buried=2 orphans=2 scheduled=3 tended=10000");
	}

	@Test
	void claimRefusesAnUnknownLayout() {
		this.keyspace.seed("", "a", "9000").seed(":tasks", "a", "A").seed(":meta", "scheduled", "1", "layout", "2");
		List<String> before = this.keyspace.dump();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> store.claim(this.queue, ClaimRequest.of("token", 10, Duration.ofSeconds(5))))
			.withMessageContaining(this.queue)
			.withMessageContaining("layout version 2");
		assertThat(this.keyspace.dump()).isEqualTo(before);
	}

	@Test
	void settleEndsEachDeliveryInItsWay() {
		this.keyspace.seed(":leases", "a", "20000", "b", "20000", "c", "20000", "d", "9000", "e", "20000", "f", "20000")
			.seed(":tasks", "a", "1", "b", "1", "c", "1", "d", "1", "e", "1", "f", "1")
			.seed(":deliveries", "a", "1:0:n:8000:t", "b", "1:0:n:8000:t", "c", "0:0:h:8000:t", "d", "1:2:l:8000:t",
					"e", "0:0:n:8000:t", "f", "1:0:n:8000:t")
			.seed(":errors", "a", "old", "b", "old", "c", "old", "f", "old")
			.seed(":meta", "scheduled", "6");
		assertThat(store.settle(this.queue,
				List.of(Endings.complete("a", "t", false), Endings.complete("b", "t", true),
						Endings.retry("c", "t", Duration.ofMillis(7), bytes("new")),
						Endings.deadLetter("d", "t", true, bytes("end")), Endings.release("e", "t", null),
						Endings.release("f", "t", Duration.ofMillis(9)), Endings.complete("a", "t", false),
						Endings.complete("b", "other", false), Endings.complete("unknown", "t", false))))
			.containsExactly(true, true, true, true, true, true, false, false, false);
		assertThat(this.keyspace.dump()).containsExactly("base e=8000 f=10009", "high c=10007", "completed b=10000",
				"dead d=10000", "tasks b=1 c=1 d=1 e=1 f=1",
				"deliveries b=1:0:n:8000: c=1:0:h:8000: d=2:2:l:8000: f=1:0:n:8000:", "errors c=new d=end f=old",
				"meta buried=1 completed=2 retried=1 scheduled=6 stale=3");
	}

	private static NewTask task(String id, TaskPriority priority, long delayMillis) {
		return new NewTask(id, bytes(id.toUpperCase(Locale.ROOT)), DueTime.in(Duration.ofMillis(delayMillis)), priority,
				Replacement.REPLACE);
	}

	private static NewTask generated(String id, DueTime due) {
		return new NewTask(id, bytes(id.toUpperCase(Locale.ROOT)), due, TaskPriority.NORMAL, Replacement.REPLACE, true);
	}

	private static NewTask rejected(String id) {
		return new NewTask(id, bytes("new"), DueTime.in(Duration.ZERO), TaskPriority.HIGH, Replacement.REJECT);
	}

}
