package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many commands Redis carries out for a task, within the scripts: these are what a
 * task costs it.
 */
class TaskCostIntegrationTests {

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = RedisStores.on(this.server).clock(this.clock);

	/** As applications have it: knows the number of partitions, and asks for it. */
	private final TaskStore store = new PartitionedTaskStore(this.stores.open(), (queue) -> 1);

	@AfterEach
	void close() {
		this.stores.close();
		this.server.close();
	}

	@Test
	void aTaskCostsAtMostThirtyCommandsWithItsWakeMessage() {
		handle("first", Duration.ZERO);
		for (int i = 0; i < 10; i++) {
			String id = "task-" + i;
			assertThat(timed(() -> schedule(id, Duration.ZERO))).as("schedule").isEqualTo(9);
			assertThat(timed(() -> claim(1))).as("claim").isEqualTo(11);
			assertThat(commands(() -> complete(id))).as("settle").isEqualTo(10);
		}
	}

	@Test
	void aTaskOfASteadyLoadOfFiftyASecondCostsAtMostTwentyEightWithAllThatIsDoneForTheQueue() {
		Duration delay = Duration.ofSeconds(1);
		for (int i = 0; i < 50; i++) {
			schedule("waits-" + i, delay);
			this.clock.advance(Duration.ofMillis(20));
		}
		long commands = 0;
		for (int i = 0; i < 100; i++) {
			String before = (i < 50) ? "waits-" + i : "comes-" + (i - 50);
			String id = "comes-" + i;
			commands += timed(() -> schedule(id, delay)) + timed(() -> claim(1)) + commands(() -> complete(before));
			this.clock.advance(Duration.ofMillis(20));
		}
		assertThat(commands).isBetween(100 * 27L, 100 * 28L);
	}

	@Test
	void largeClaimsCostLessForEachTask() {
		handle("first", Duration.ZERO);
		List<String> ids = IntStream.range(0, 500).mapToObj((i) -> "task-" + i).toList();
		this.store.schedule("q", ids.stream().map((id) -> task(id, Duration.ZERO)).toList());
		assertThat(timed(() -> claim(500))).isLessThan(50);
		assertThat(commands(() -> complete(ids.toArray(String[]::new)))).isLessThan(20);
	}

	@Test
	void aClaimInVainWritesNothing() {
		handle("first", Duration.ZERO);
		schedule("later", Duration.ofHours(1));
		assertThat(timed(() -> claim(0))).isEqualTo(6);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(timed(() -> claim(0))).as("looks whether there is something to tend").isEqualTo(8);
		assertThat(String.valueOf(this.server.cli("HGET", this.stores.keyPrefix() + "{q}:meta", "tended")))
			.isEqualTo(String.valueOf(TaskStoreFixture.START.toEpochMilli()));
	}

	/**
	 * Those who hold tasks are told for one command more, or two where it is replaced.
	 */
	@Test
	void aCancelOfATaskThatNobodyRunsTellsNobody() {
		handle("first", Duration.ZERO);
		schedule("waits", Duration.ofHours(1));
		assertThat(commands(() -> this.store.cancel("q", "waits"))).isEqualTo(16);
		schedule("runs", Duration.ZERO);
		claim(1);
		assertThat(commands(() -> this.store.cancel("q", "runs"))).isEqualTo(17);
	}

	private void handle(String id, Duration delay) {
		schedule(id, delay);
		claim(1);
		complete(id);
	}

	private void schedule(String id, Duration delay) {
		this.store.schedule("q", List.of(task(id, delay)));
	}

	private static NewTask task(String id, Duration delay) {
		return new NewTask(id, new byte[] { '{', '}' }, DueTime.in(delay), TaskPriority.NORMAL, Replacement.REPLACE,
				true);
	}

	/** And tends, as a consumer does. */
	private void claim(int expected) {
		ClaimResult result = this.store.claim("q", ClaimRequest.of("token", Math.max(expected, 10), LEASE_DURATION));
		assertThat(result.tasks()).extracting(ClaimedRecord::id).hasSize(expected);
		if (result.notes().untended()) {
			this.store.requireRole(TaskRetention.class).tend("q", Retention.NONE);
		}
	}

	private void complete(String... ids) {
		assertThat(this.store.settle("q",
				List.of(ids)
					.stream()
					.map((id) -> Endings.complete(id, "token", false).handled(false, Duration.ofMillis(5)))
					.toList()))
			.hasSize(ids.length)
			.containsOnly(true);
	}

	/** With the one that asks for the time, which a clock for tests makes needless. */
	private long timed(Runnable step) {
		return commands(step) + 1;
	}

	private long commands(Runnable step) {
		this.server.cli("CONFIG", "RESETSTAT");
		step.run();
		return String.valueOf(this.server.cli("INFO", "commandstats"))
			.lines()
			.filter((line) -> line.startsWith("cmdstat_") && !line.matches("cmdstat_(config|info|eval|hello|client).*"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
