package io.github.delayqueue.management;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis reads while somebody looks through dead letters, by its own account.
 */
class DeadCostIntegrationTests {

	private static final int TASKS = 5000;

	private static final String CAUSE = "00000000000000aa";

	@Test
	void countingReadsEachFailureOnceAndNothingElse() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			RedisTaskStore store = stores.open();
			die(store, TASKS, "");
			server.cli("CONFIG", "RESETSTAT");
			DeadSearch search = DeadSearch.byCause(Instant.MAX);
			List<DeadPage> pages = new ArrayList<>();
			do {
				pages.add(QueueView.of(store).dead("letters", search));
				search = search.from(pages.get(pages.size() - 1).cursor());
			}
			while (search.cursor() != null);
			assertThat(pages).extracting(DeadPage::looked).containsExactly(1000, 1000, 1000, 1000, 1000);
			assertThat(pages).allSatisfy((page) -> assertThat(page.groups()).singleElement()
				.satisfies((group) -> assertThat(group.tasks()).isEqualTo(page.looked())));
			assertThat(server.calls("hmget")).isEqualTo(TASKS / 100);
			assertThat(server.calls("hget")).isZero();
			assertThat(server.calls("hstrlen")).as("five of a hundred").isEqualTo(TASKS / 20);
			assertThat(server.calls("zscore")).isLessThanOrEqualTo(3 * pages.size());
		}
	}

	@Test
	void stepReadsABoundedNumberOfBytes() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			RedisTaskStore store = stores.open();
			die(store, 2000, "x".repeat(7900));
			DeadPage page = QueueView.of(store).dead("letters", DeadSearch.byCause(Instant.MAX));
			assertThat(page.looked()).isBetween(300, 500);
			assertThat(page.cursor()).isNotNull();
		}
	}

	@Test
	void whatIsFarLongerThanAFailureIsNotRead() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			RedisTaskStore store = stores.open();
			die(store, 10, "");
			for (String id : new String[] { "t0", "t7" }) {
				server.cli("HSET", "delay:queue:{letters}:errors", id, "x".repeat(100_000));
			}
			DeadPage page = QueueView.of(store).dead("letters", DeadSearch.byCause(Instant.MAX));
			assertThat(page.groups()).extracting(DeadPage.Group::tasks).containsExactlyInAnyOrder(2L, 8L);
			assertThat(page.groups()).filteredOn((group) -> group.tasks() == 2)
				.allSatisfy((group) -> assertThat(group.failure()).isEmpty());
		}
	}

	private static void die(RedisTaskStore store, int tasks, String message) {
		byte[] failure = ("{\"cause\":\"" + CAUSE + "\",\"message\":\"" + message + "\"}")
			.getBytes(StandardCharsets.UTF_8);
		for (int from = 0; from < tasks; from += 500) {
			store.schedule("letters",
					IntStream.range(from, Math.min(from + 500, tasks))
						.mapToObj((i) -> new NewTask("t" + i, bytes("x"), DueTime.in(Duration.ZERO),
								TaskPriority.NORMAL, Replacement.REPLACE))
						.toList());
			List<ClaimedRecord> claimed = store.claim("letters", ClaimRequest.of("t", 500, Duration.ofHours(1)))
				.tasks();
			store.settle("letters",
					claimed.stream().map((task) -> Endings.deadLetter(task.id(), "t", true, failure)).toList());
		}
	}

}
