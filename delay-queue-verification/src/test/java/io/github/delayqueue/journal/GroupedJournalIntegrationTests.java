package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;
import io.github.delayqueue.testsupport.TestDatabase;

import static io.github.delayqueue.groups.Group.group;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks of a journal keep their groups, of which one task each may be in flight here,
 * however they come to Redis.
 */
class GroupedJournalIntegrationTests {

	private static final String QUEUE = "grouped";

	private static final Duration HORIZON = Duration.ofHours(1);

	private static final Duration LEASE = Duration.ofDays(1);

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = DriverStores.on(this.server).clock(this.clock);

	private final TemporaryDatabase database = TestDatabase.H2.create("");

	private final JournaledTaskStore store;

	private final SingleLoading loading;

	private int claims;

	GroupedJournalIntegrationTests() {
		TestDatabase.H2.applyJournalSchema(this.database);
		RedisTaskStore redis = this.stores.open();
		QueueOptions grouped = QueueOptions.builder()
			.with(GroupedQueues.ENABLED, true)
			.with(GroupedQueues.CONCURRENCY, 1)
			.build();
		redis.add(new GroupedQueues((queue) -> grouped));
		Journal journal = Journal
			.builder(this.database.dataSource(), new JdbcTransactionManager(this.database.dataSource()))
			.horizon(HORIZON)
			.clock(this.clock)
			.build();
		JournalParts parts = JournalParts.of(new PartitionedTaskStore(redis, (queue) -> 1), journal, "");
		this.store = new JournaledTaskStore(parts);
		this.loading = new SingleLoading(QUEUE, parts, TaskEvents.NONE);
	}

	@AfterEach
	void close() {
		assertThat(QueueCheck.of(this.stores.connections(), this.stores.keyPrefix() + "{" + QUEUE + "}").findings())
			.isEmpty();
		this.stores.close();
		this.server.close();
		this.database.close();
	}

	@Test
	void groupTakesTurnsWhenItsTasksAreHandedOver() {
		schedule(in("a1", "A"), in("a2", "A"), in("a3", "A"), in("b1", "B"), Tasks.task("none"));
		assertThat(claim()).containsExactlyInAnyOrder("a1", "b1", "none");
		settle(Endings.complete("a1", token(), false));
		assertThat(claim()).containsExactly("a2");
	}

	@Test
	void replacementRetryRescheduleAndRedriveKeepIt() {
		schedule(in("a1", "A"), in("a2", "A"), in("a3", "A"));
		schedule(in("a2", "B"));
		assertThat(claim()).containsExactlyInAnyOrder("a1", "a2");
		settle(Endings.retry("a1", token(), LEASE, null));
		assertThat(this.store.reschedule(QUEUE, "a1", DueTime.in(Duration.ZERO))).isTrue();
		String id = only("a1", "a3");
		settle(Endings.deadLetter(id, token(), true, null));
		only("a1", "a3");
		assertThat(this.store.redrive(QUEUE, List.of(id), DueSpan.NOW)).containsExactly(true);
		assertThat(claim()).as("of a group that is full").isEmpty();
	}

	@Test
	void loaderHandsItOver() {
		schedule(in("a1", "A", HORIZON.multipliedBy(2)), in("a2", "A", HORIZON.multipliedBy(2)));
		assertThat(this.server.text("EXISTS", this.stores.keyPrefix() + "{" + QUEUE + "}")).isEqualTo("0");
		this.clock.advance(HORIZON.multipliedBy(2));
		this.loading.round();
		only("a1", "a2");
		assertThat(claim()).isEmpty();
	}

	@Test
	void itIsRestoredIntoAnEmptyRedis() {
		schedule(in("a1", "A"), in("a2", "A"), in("b1", "B"));
		this.loading.round();
		this.server.cli("FLUSHALL");
		for (int i = 0; i < 3; i++) {
			this.clock.advance(Duration.ofMinutes(10));
			this.loading.round();
		}
		assertThat(claim()).hasSize(2).contains("b1");
		assertThat(claim()).isEmpty();
	}

	@Test
	void placesOfAProcessThatDiedAreFreeWhenItsLeasesRunOut() {
		others((died) -> this.clock.advance(LEASE));
	}

	@Test
	void placesOfAProcessThatDiedAreFreeWhenOthersTakeItsLeasesOver() {
		others((died) -> assertThat(this.store.requireRole(LeaseHolders.class).takeOver(QUEUE, died)).isEqualTo(2));
	}

	/** Nothing is lost, nothing is handled twice, and no limit is passed. */
	private void others(Consumer<String> find) {
		schedule(in("a1", "A"), in("a2", "A"), in("a3", "A"), in("b1", "B"), in("b2", "B"));
		assertThat(this.store.claim(QUEUE, ClaimRequest.of("died~x-1", 10, LEASE)).tasks()).hasSize(2);
		assertThat(claim()).as("of groups that are full").isEmpty();
		find.accept("died");
		List<String> handled = new ArrayList<>();
		for (List<String> claimed = claim(); !claimed.isEmpty(); claimed = claim()) {
			assertThat(claimed.stream().map((id) -> id.charAt(0))).doesNotHaveDuplicates();
			claimed.forEach((id) -> settle(Endings.complete(id, token(), false)));
			handled.addAll(claimed);
		}
		assertThat(handled).containsExactlyInAnyOrder("a1", "a2", "a3", "b1", "b2");
		assertThat(this.store.find(QUEUE, "a1")).isEmpty();
		assertThat(this.store.stats(QUEUE)).extracting(QueueStats::waiting, QueueStats::inFlight)
			.containsExactly(0L, 0L);
	}

	private static NewTask in(String id, String name) {
		return in(id, name, Duration.ZERO);
	}

	private static NewTask in(String id, String name, Duration delay) {
		return Tasks.with(group(name), Tasks.task(id, delay));
	}

	private void schedule(NewTask... tasks) {
		this.store.schedule(QUEUE, List.of(tasks));
	}

	private List<String> claim() {
		return this.store.claim(QUEUE, ClaimRequest.of("t" + (++this.claims), 10, LEASE))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.sorted(Comparator.naturalOrder())
			.toList();
	}

	private String only(String... ids) {
		List<String> claimed = claim();
		assertThat(claimed).hasSize(1).isSubsetOf(ids);
		return claimed.get(0);
	}

	private String token() {
		return "t" + this.claims;
	}

	private void settle(Settlement settlement) {
		assertThat(this.store.settle(QUEUE, List.of(settlement))).containsExactly(true);
	}

}
