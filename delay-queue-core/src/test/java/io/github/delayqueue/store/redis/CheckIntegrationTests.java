package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.QueueCheck.Finding;
import io.github.delayqueue.fixtures.QueueCheck.Kind;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Queues damaged with plain commands: each defect is found, nothing is changed by that,
 * and it is mended when asked for.
 */
class CheckIntegrationTests extends AbstractSeededQueueIntegrationTests {

	@Test
	void unknownQueueIsCleanAndIsNotCreated() {
		assertThat(check()).isEqualTo(new QueueCheck(null, 0, List.of(), new QueueCheck.Sums(0, 0, 0, 0, 0)));
		assertThat(repair().isClean()).isTrue();
		assertThat(this.keyspace.dump()).isEmpty();
	}

	@Test
	void taskOfEveryKindIsCleanAndStaysAsItIs() {
		seedOneOfEachKind();
		List<String> before = this.keyspace.dump();
		QueueCheck check = check();
		assertThat(check.findings()).isEmpty();
		assertThat(check.cursor()).isNull();
		// 6 records, 4 deliveries, 1 failure, 7 entries of indexes
		assertThat(check.checked()).isEqualTo(18);
		assertThat(check.sums()).isEqualTo(new QueueCheck.Sums(7, 7, 6, 7, 1));
		assertThat(repair()).isEqualTo(check);
		assertThat(this.keyspace.dump()).isEqualTo(before);
		this.keyspace.assertInvariant();
	}

	@Test
	void taskInNoIndexBecomesDeadAndCanBeRedriven() {
		this.keyspace.seed(":tasks", "lost", "L", "failed", "F")
			.seed(":deliveries", "failed", "2:1:h:8000:token")
			.seed(":errors", "failed", "old")
			.seed(":meta", "scheduled", "2");
		assertFound(List.of(finding(Kind.RECORD_WITHOUT_INDEX, "lost", null),
				finding(Kind.RECORD_WITHOUT_INDEX, "failed", null), finding(Kind.TOTALS, "cleared", null)));

		assertThat(repair().findings()).containsExactlyInAnyOrder(finding(Kind.RECORD_WITHOUT_INDEX, "lost", "dead"),
				finding(Kind.RECORD_WITHOUT_INDEX, "failed", "dead"));

		assertThat(this.keyspace.dump()).containsExactly("dead failed=10000 lost=10000", "tasks failed=F lost=L",
				"deliveries failed=2:1:h:8000: lost=0:0:n:10000:", "errors failed=why lost=why",
				"meta buried=2 scheduled=2");
		assertClean();
		assertThat(QueueControl.of(store).redrive(this.queue, List.of("lost", "failed"))).containsExactly(true, true);
		assertThat(handleAll()).containsExactly("failed", "lost");
	}

	@Test
	void idsWithoutRecordBecomeDeadAsTheyDoWhenTheyAreClaimed() {
		this.keyspace.seed("", "n", "20000")
			.seed(":high", "h", "20000", "both", "20000")
			.seed(":low", "l", "20000", "both", "20000")
			.seed(":leases", "f", "20000")
			.seed(":dead", "d", "9000", "g", "9000")
			.seed(":completed", "c", "9000", "g", "9000")
			.seed(":deliveries", "f", "0:0:n:8000:token", "c", "0:0:n:8000:")
			.seed(":errors", "f", "x")
			.seed(":meta", "scheduled", "7", "orphans", "2", "completed", "1", "cleared", "0");
		List<Finding> found = List.of(new Finding(Kind.INDEX_WITHOUT_RECORD, "n", List.of("normal"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "h", List.of("high"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "both", List.of("high", "low"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "l", List.of("low"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "f", List.of("leases"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "g", List.of("dead", "completed"), null),
				new Finding(Kind.INDEX_WITHOUT_RECORD, "c", List.of("completed"), null),
				finding(Kind.DELIVERY_WITHOUT_RECORD, "f", null), finding(Kind.DELIVERY_WITHOUT_RECORD, "c", null),
				finding(Kind.ERROR_WITHOUT_RECORD, "f", null), finding(Kind.TOTALS, "scheduled", null),
				finding(Kind.ORPHANS, "orphans", null));
		assertFound(found);

		assertThat(repair().findings()).filteredOn((finding) -> finding.kind() == Kind.INDEX_WITHOUT_RECORD)
			.extracting(Finding::after)
			.containsExactlyInAnyOrder("dead", "dead", "dead", "dead", "dead", "dead", null);

		assertThat(this.keyspace.dump()).containsExactly(
				"dead both=10000 d=9000 f=10000 g=9000 h=10000 l=10000 n=10000",
				"meta buried=5 cleared=0 completed=1 orphans=7 scheduled=8");
		assertClean();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			normal high          | 0:0:n:8000:  | normal 20000, high 30000                 | high
			normal low           | 0:0:n:8000:  | normal 30000, low 20000                  | normal
			normal leases        | 0:0:n:8000:t | normal 20000, leases 15000               | leases
			normal leases        | 1:0:n:8000:  | normal 20000, leases 30000               | normal
			high dead            | 1:0:n:8000:  | high 5000, dead 9000                     | high
			leases dead          | 1:0:n:8000:t | leases 15000, dead 9000                  | leases
			leases dead          | 1:0:l:8000:  | leases 15000, dead 9000                  | low
			low completed        | 1:0:n:8000:  | low 20000, completed 9000                | low
			dead completed       | 1:0:n:8000:  | dead 9000, completed 9001                | dead
			high low dead completed | 1:0:n:8000:t | high 20000, low 20001, dead 9000, completed 9001 | low
			""")
	void taskInSeveralIndexesStaysWhereItMayStillHaveToBeDone(String places, String delivery, String entries,
			String after) {
		for (String entry : entries.split(", ")) {
			String[] parts = entry.split(" ");
			this.keyspace.seed("normal".equals(parts[0]) ? "" : ":" + parts[0], "a", parts[1]);
		}
		this.keyspace.seed(":tasks", "a", "A").seed(":deliveries", "a", delivery).seed(":meta", "scheduled", "1");
		Finding several = new Finding(Kind.SEVERAL_INDEXES, "a", List.of(places.split(" ")), null);
		assertThat(check().findings()).contains(several);
		assertThat(repair().findings())
			.contains(new Finding(several.kind(), several.subject(), several.places(), after));
		assertClean();
		assertThat(this.keyspace.dump())
			.anyMatch((line) -> line.startsWith(("normal".equals(after) ? "base" : after) + " a="));
	}

	@Test
	void tokenWithoutLeaseIsTakenAway() {
		this.keyspace.seed("", "a", "20000")
			.seed(":low", "b", "20000")
			.seed(":dead", "c", "9000")
			.seed(":tasks", "a", "A", "b", "B", "c", "C")
			.seed(":deliveries", "a", "0:0:n:8000:t", "b", "1:2:l:8000:t", "c", "4:0:n:8000:t")
			.seed(":meta", "scheduled", "3");
		assertFound(List.of(new Finding(Kind.TOKEN_WITHOUT_LEASE, "a", List.of("normal"), null),
				new Finding(Kind.TOKEN_WITHOUT_LEASE, "b", List.of("low"), null),
				new Finding(Kind.TOKEN_WITHOUT_LEASE, "c", List.of("dead"), null)));
		repair();
		assertThat(this.keyspace.dump()).containsExactly("base a=20000", "low b=20000", "dead c=9000",
				"tasks a=A b=B c=C", "deliveries b=1:2:l:8000: c=4:0:n:8000:", "meta scheduled=3");
		assertThat(store.settle(this.queue, List.of(Endings.complete("b", "t", false)))).containsExactly(false);
		assertClean();
	}

	@Test
	void leaseWithoutTokenIsScheduledAgainForWhenItWasDue() {
		this.keyspace.seed(":leases", "a", "20000", "b", "20000", "c", "20000", "d", "20000")
			.seed(":tasks", "a", "A", "b", "B", "c", "C", "d", "D")
			.seed(":deliveries", "a", "0:0:h:8000:", "b", "1:2:l:12000:", "d", "0:0:n:8000:t")
			.seed(":meta", "scheduled", "4");
		assertFound(List.of(new Finding(Kind.LEASE_WITHOUT_TOKEN, "a", List.of("leases"), null),
				new Finding(Kind.LEASE_WITHOUT_TOKEN, "b", List.of("leases"), null),
				new Finding(Kind.LEASE_WITHOUT_TOKEN, "c", List.of("leases"), null)));
		repair();
		assertThat(this.keyspace.dump()).contains("base c=10000", "high a=8000", "low b=12000", "leases d=20000",
				"deliveries b=1:2:l:12000: d=0:0:n:8000:t");
		assertClean();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":", "0:0:n:8000", "-1:0:n:8000:t", "0:0:x:8000:t", "0:0:n:1e3:t",
			"2147483648:0:n:1:t", "0:0:n:999999999999999:t", "null" })
	void unreadableDeliveryStartsAtZero(String record) {
		this.keyspace.seed("", "a", "20000")
			.seed(":leases", "b", "20000")
			.seed(":dead", "c", "9000")
			.seed(":tasks", "a", "A", "b", "B", "c", "C")
			.seed(":deliveries", "a", record, "b", record, "c", record)
			.seed(":meta", "scheduled", "3");
		assertFound(List.of(new Finding(Kind.UNREADABLE_DELIVERY, "a", List.of("normal"), null),
				new Finding(Kind.UNREADABLE_DELIVERY, "b", List.of("leases"), null),
				new Finding(Kind.UNREADABLE_DELIVERY, "c", List.of("dead"), null)));
		repair();
		assertThat(this.keyspace.dump()).contains("base a=20000 b=10000", "dead c=9000", "deliveries c=0:0:n:9000:");
		assertClean();
	}

	@Test
	void tasksThatAreOverGetTheDeliveryTheyLack() {
		this.keyspace.seed(":dead", "a", "9000")
			.seed(":completed", "b", "9001")
			.seed(":tasks", "a", "A", "b", "B")
			.seed(":meta", "scheduled", "2", "completed", "1");
		assertFound(List.of(new Finding(Kind.MISSING_DELIVERY, "a", List.of("dead"), null),
				new Finding(Kind.MISSING_DELIVERY, "b", List.of("completed"), null)));
		repair();
		assertThat(this.keyspace.dump()).contains("deliveries a=0:0:n:9000: b=0:0:n:9001:");
		assertThat(QueueView.of(store).stats(this.queue).retrying()).isZero();
		assertClean();
	}

	@Test
	void impossibleTimesBecomePossible() {
		this.keyspace.seed("", "a", "-inf", "b", "+inf", "c", "-5", "d", "253402300800000", "e", "253402300799999")
			.seed(":leases", "f", "inf")
			.seed(":tasks", "a", "A", "b", "B", "c", "C", "d", "D", "e", "E", "f", "F")
			.seed(":deliveries", "f", "0:0:n:8000:t")
			.seed(":meta", "scheduled", "6");
		assertThat(check().findings()).extracting(Finding::kind, Finding::subject)
			.containsExactlyInAnyOrder(List.of("a", "b", "c", "d", "f")
				.stream()
				.map((id) -> tuple(Kind.IMPOSSIBLE_TIME, id))
				.toArray(Tuple[]::new));
		repair();
		assertThat(this.keyspace.dump()).contains(
				"base a=10000 b=253402300799999 c=10000 d=253402300799999 e=253402300799999",
				"leases f=253402300799999");
		assertClean();
	}

	@Test
	void totalsThatDoNotAddUpAreMadeToAddUp() {
		seedOneOfEachKind();
		this.keyspace.seed(":meta", "scheduled", "10", "orphans", "3");
		assertFound(List.of(finding(Kind.TOTALS, "cleared", null), finding(Kind.ORPHANS, "orphans", null)));
		assertThat(check().sums()).isEqualTo(new QueueCheck.Sums(10, 7, 6, 7, 3));
		assertThat(check().sums().difference()).isEqualTo(3);

		assertThat(repair().sums()).isEqualTo(new QueueCheck.Sums(10, 10, 6, 7, 1));
		assertThat(QueueView.of(store).stats(this.queue).totals().cleared()).isEqualTo(3);
		assertClean();

		this.keyspace.seed(":meta", "scheduled", "4");
		assertFound(List.of(finding(Kind.TOTALS, "scheduled", null)));
		assertThat(repair().sums()).isEqualTo(new QueueCheck.Sums(10, 10, 6, 7, 1));
		assertClean();
	}

	@Test
	void totalThatIsNoNumberIsZero() {
		this.keyspace.seed("", "a", "20000")
			.seed(":tasks", "a", "A")
			.seed(":meta", "scheduled", "many", "stale", "", "expired", "9999999999999999999", "unknown", "x");
		assertFound(List.of(finding(Kind.UNREADABLE_TOTAL, "scheduled", null),
				finding(Kind.UNREADABLE_TOTAL, "stale", null), finding(Kind.UNREADABLE_TOTAL, "expired", null),
				finding(Kind.TOTALS, "scheduled", null)));
		repair();
		assertThat(this.keyspace.dump()).contains("meta scheduled=1 unknown=x");
		assertClean();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", ":high", ":leases", ":dead", ":completed", ":tasks", ":deliveries", ":errors", ":meta" })
	void keyOfAnotherTypeIsNamedAndNothingIsTouched(String suffix) {
		seedOneOfEachKind();
		this.keyspace.seed(":tasks", "lost", "L");
		String key = key(suffix);
		String away = key + ".away";
		server.cli("RENAME", key, away);
		server.cli("SET", key, "something else");

		Finding wrong = finding(Kind.WRONG_TYPE, key, null);
		assertThat(check()).isEqualTo(new QueueCheck(null, 0, List.of(wrong), new QueueCheck.Sums(0, 0, 0, 0, 0)));
		assertThat(repair().findings()).containsExactly(wrong);

		assertThat(server.cli("GET", key)).isEqualTo("something else");
		server.cli("RENAME", away, key);
		assertThat(repair().findings()).extracting(Finding::kind).contains(Kind.RECORD_WITHOUT_INDEX);
		assertClean();
	}

	@Test
	void queueOfAnotherLayoutIsLeftAlone() {
		this.keyspace.seed(":tasks", "a", "A").seed(":meta", "layout", "2");
		List<String> before = this.keyspace.dump();
		assertThatException().isThrownBy(this::check).withStackTraceContaining("layout version 2");
		assertThatException().isThrownBy(this::repair).withStackTraceContaining("layout version 2");
		assertThat(this.keyspace.dump()).isEqualTo(before);
	}

	@Test
	void walkSeesEveryEntryAndEveryDefectOfALargeQueueAndEachPageIsBounded() {
		List<NewTask> tasks = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			tasks.add(new NewTask("task-" + i, bytes("payload ".repeat(20)), DueTime.in(Duration.ofSeconds(i)),
					TaskPriority.values()[i % 3], Replacement.REPLACE));
			if (tasks.size() == 500) {
				store.schedule(this.queue, tasks);
				tasks.clear();
			}
		}
		List<String> lost = IntStream.range(0, 100).mapToObj((i) -> "task-" + 29 * i).toList();
		List<String> empty = IntStream.range(0, 100).mapToObj((i) -> "task-" + (29 * i + 1)).toList();
		List.of("", ":high", ":low").forEach((suffix) -> remove("ZREM", suffix, lost));
		remove("HDEL", ":tasks", empty);

		Set<Finding> found = new LinkedHashSet<>();
		long checked = 0;
		int pages = 0;
		String cursor = null;
		do {
			QueueCheck page = page("look", cursor, 250);
			// a hash table cannot part the entries of one bucket
			assertThat(page.checked()).isLessThan(350);
			checked += page.checked();
			pages++;
			found.addAll(page.findings());
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(checked).isGreaterThanOrEqualTo(2 * 2900).isLessThan(3 * 2900);
		assertThat(pages).isGreaterThanOrEqualTo(5800 / 350);
		assertThat(found).filteredOn((finding) -> finding.kind() == Kind.RECORD_WITHOUT_INDEX)
			.extracting(Finding::subject)
			.containsExactlyInAnyOrderElementsOf(lost);
		assertThat(found).filteredOn((finding) -> finding.kind() == Kind.INDEX_WITHOUT_RECORD)
			.extracting(Finding::subject)
			.containsExactlyInAnyOrderElementsOf(empty);

		repairAll();
		assertClean();
		assertThat(QueueView.of(store).stats(this.queue).dead()).isEqualTo(200);
	}

	@Test
	void consumersMayGoOnWhileAQueueIsRepaired() {
		seedOneOfEachKind();
		this.keyspace.seed(":tasks", "lost", "L").seed(":leases", "ghost", "20000");
		Set<String> handled = new LinkedHashSet<>();
		String cursor = null;
		do {
			QueueCheck page = page("repair", cursor, 1);
			ClaimResult claimed = store.claim(this.queue, ClaimRequest.of("worker", 1, Duration.ofSeconds(5)));
			claimed.tasks().forEach((task) -> {
				handled.add(task.id());
				store.settle(this.queue, List.of(Endings.complete(task.id(), "worker", false)));
			});
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(handled).contains("normal", "low");
		assertClean();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "tasks", "tasks:", "tasks:-1", "meta:0", "x:0", "after:a" })
	void cursorThatNoCheckHasReturnedIsRefused(String cursor) {
		this.keyspace.seed(":tasks", "a", "A");
		List<String> before = this.keyspace.dump();
		assertThatException().isThrownBy(() -> page("repair", cursor, 10)).withStackTraceContaining("cursor");
		assertThat(this.keyspace.dump()).isEqualTo(before);
	}

	@Test
	void cursorAndFailureAndTimeMayBeLeftOut() {
		this.keyspace.seed(":tasks", "lost", "L").seed(":meta", "scheduled", "1");
		assertThat(QueueCheck.of(connections, key("")).findings()).hasSize(2);
		assertThat(QueueCheck.repair(connections, key("")).findings()).hasSize(1);
		assertThat(QueueCheck.of(connections, key("")).isClean()).isTrue();
		assertThat(FailureJson.readFailure(store.find(this.queue, "lost").orElseThrow().failure()))
			.returns(DeadReason.RECOVERED, (failure) -> failure.reason())
			.extracting((failure) -> failure.message())
			.asString()
			.startsWith("A repair found it in no index");
	}

	private void seedOneOfEachKind() {
		this.keyspace.seed("", "normal", "9000")
			.seed(":high", "high", "20000")
			.seed(":low", "low", "9500")
			.seed(":leases", "held", "20000")
			.seed(":dead", "dead", "9000", "orphan", "9000")
			.seed(":completed", "done", "9000")
			.seed(":tasks", "normal", "1", "high", "1", "low", "1", "held", "1", "dead", "1", "done", "1")
			.seed(":deliveries", "low", "1:0:l:8000:", "held", "0:0:n:8000:token", "dead", "4:0:n:8000:", "done",
					"0:0:n:8000:")
			.seed(":errors", "dead", "x")
			.seed(":meta", "scheduled", "7", "completed", "1", "orphans", "1", "layout", "1");
	}

	private void remove(String command, String suffix, List<String> ids) {
		List<String> words = new ArrayList<>(List.of(command, key(suffix)));
		words.addAll(ids);
		server.cli(words.toArray(String[]::new));
	}

	private void repairAll() {
		String cursor = null;
		do {
			cursor = page("repair", cursor, 250).cursor();
		}
		while (cursor != null);
	}

	private void assertFound(List<Finding> expected) {
		List<String> before = this.keyspace.dump();
		assertThat(check().findings()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(this.keyspace.dump()).isEqualTo(before);
	}

	/**
	 * Nothing left to find or to repair, in the opinion of two who do not know each
	 * other.
	 */
	private void assertClean() {
		this.keyspace.assertInvariant();
		List<String> before = this.keyspace.dump();
		String cursor = null;
		do {
			QueueCheck page = page("repair", cursor, 1000);
			assertThat(page.findings()).isEmpty();
			cursor = page.cursor();
		}
		while (cursor != null);
		assertThat(this.keyspace.dump()).isEqualTo(before);
	}

	private List<String> handleAll() {
		List<String> ids = store.claim(this.queue, ClaimRequest.of("all", 100, Duration.ofSeconds(5)))
			.tasks()
			.stream()
			.map((task) -> task.id())
			.toList();
		ids.forEach((id) -> assertThat(store.settle(this.queue, List.of(Endings.complete(id, "all", false))))
			.containsExactly(true));
		return ids;
	}

	private static Finding finding(Kind kind, String subject, @Nullable String after) {
		return new Finding(kind, subject, List.of(), after);
	}

}
