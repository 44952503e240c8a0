package io.github.delayqueue.management;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.RedisServer;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long Redis stands still while a page of tasks is read, by its own account: what is
 * skipped must not cost as much as what is shown.
 */
class PageCostIntegrationTests {

	private static final Pattern MICROS = Pattern.compile("cmdstat_evalsha:calls=1,usec=(\\d+)");

	private static final int EACH = 4000;

	@Test
	void pageFarBehindCostsRedisLittleMoreThanTheFirst() {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			RedisTaskStore store = stores.open();
			for (TaskPriority priority : TaskPriority.values()) {
				for (int i = 0; i < EACH; i += 500) {
					store.schedule("orders", tasks(priority, i));
				}
			}
			QueueView.of(store).list("orders", TaskState.SCHEDULED, 0, 50, Contents.SMALL);
			long first = leastMicros(server, store, 0);
			assertThat(leastMicros(server, store, 10_000)).as("first page: %d us", first).isLessThan(10 * first);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "DEAD" })
	void pageOfPartitionsReadsNoMoreFarBehindThanAtTheBeginning(TaskState state) {
		try (RedisServer server = RedisServer.startNew(); RedisStores stores = RedisStores.on(server)) {
			PartitionedTaskStore store = new PartitionedTaskStore(stores.open(), (queue) -> 16);
			for (TaskPriority priority : TaskPriority.values()) {
				for (int i = 0; i < EACH; i += 500) {
					store.schedule("orders", tasks(priority, i, (state == TaskState.DEAD) ? 0 : 3600));
				}
			}
			if (state == TaskState.DEAD) {
				deadLetterAll(store);
			}
			server.cli("CONFIG", "RESETSTAT");
			List<StoredTask> first = QueueView.of(store).list("orders", state, 0, 50, Contents.SMALL);
			long read = valuesRead(server);
			long sent = bytesSent(server);
			server.cli("CONFIG", "RESETSTAT");
			List<StoredTask> far = QueueView.of(store).list("orders", state, 10_000, 50, Contents.SMALL);
			assertThat(bytesSent(server)).as("first page: %d bytes", sent).isLessThan(10 * sent);
			assertThat(valuesRead(server)).as("first page: %d values", read).isLessThan(4 * read);
			assertThat(first).hasSize(50).doesNotContainAnyElementsOf(far);
			assertThat(far).hasSize(50)
				.allSatisfy((task) -> assertThat(task.at()).isAfterOrEqualTo(first.get(49).at()));
		}
	}

	private static void deadLetterAll(PartitionedTaskStore store) {
		for (String partition : store.sources("orders")) {
			List<ClaimedRecord> claimed = claim(store, partition);
			while (!claimed.isEmpty()) {
				store.settle(partition,
						claimed.stream().map((task) -> Endings.deadLetter(task.id(), "t", true, bytes("E"))).toList());
				claimed = claim(store, partition);
			}
		}
	}

	private static List<ClaimedRecord> claim(PartitionedTaskStore store, String partition) {
		return store.claim(partition, ClaimRequest.of("t", 500, Duration.ofHours(1))).tasks();
	}

	/** Values are measured before they are read. */
	private static long valuesRead(RedisServer server) {
		return number(server, "commandstats", "cmdstat_hstrlen:calls=(\\d+)");
	}

	private static long bytesSent(RedisServer server) {
		return number(server, "stats", "total_net_output_bytes:(\\d+)");
	}

	private static long number(RedisServer server, String section, String pattern) {
		Matcher matcher = Pattern.compile(pattern).matcher(String.valueOf(server.cli("INFO", section)));
		assertThat(matcher.find()).isTrue();
		return Long.parseLong(matcher.group(1));
	}

	private static List<NewTask> tasks(TaskPriority priority, int from) {
		return tasks(priority, from, 3600);
	}

	private static List<NewTask> tasks(TaskPriority priority, int from, int seconds) {
		return IntStream.range(from, from + 500)
			.mapToObj((i) -> new NewTask(priority + "-" + i, bytes("x"),
					DueTime.in(Duration.ofSeconds((seconds > 0) ? seconds + i % 1000 : 0)), priority,
					Replacement.REPLACE))
			.toList();
	}

	private static long leastMicros(RedisServer server, RedisTaskStore store, int offset) {
		List<Long> micros = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			server.cli("CONFIG", "RESETSTAT");
			assertThat(QueueView.of(store).list("orders", TaskState.SCHEDULED, offset, 50, Contents.SMALL)).hasSize(50);
			Matcher matcher = MICROS.matcher(String.valueOf(server.cli("INFO", "commandstats")));
			assertThat(matcher.find()).isTrue();
			micros.add(Long.parseLong(matcher.group(1)));
		}
		return micros.stream().mapToLong(Long::longValue).min().orElseThrow();
	}

}
