package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.core.RedisCallback;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.TestServer;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members of a home-made sorted set are moved.
 */
@EachServer
@ExtendWith(OutputCaptureExtension.class)
class SortedSetMigrationIntegrationTests {

	private static final Instant DUE = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);

	@Parameter
	private TestServer server;

	private MigrationFixture fixture;

	private String key;

	@BeforeEach
	void connect() {
		this.fixture = new MigrationFixture(this.server.host(), this.server.port());
		this.key = this.fixture.source;
	}

	@AfterEach
	void close() throws Exception {
		this.fixture.redis.delete(List.of(this.key, this.key + ":payloads"));
		this.fixture.close();
	}

	@Test
	void memberIsTheIdAndScoreTheDueTime() {
		add("order_1", DUE.toEpochMilli());
		add("order_2", DUE.toEpochMilli() + 0.5);
		MigrationProgress progress = this.fixture.move(SortedSetMigration.from(this.key).to(QUEUE).build());
		assertThat(progress).isEqualTo(new MigrationProgress(this.key, QUEUE, 2, 0, 0, 0, 0));
		List<TaskDetails> tasks = this.fixture.scheduled();
		assertThat(tasks).extracting(TaskDetails::id).containsExactly("order_1", "order_2");
		assertThat(tasks).extracting(TaskDetails::dueAt).containsExactly(DUE, DUE.plusMillis(1));
		assertThat(tasks.get(0).payloadJson()).isNull();
	}

	@Test
	void payloadMayBeInAHashOrAString() {
		add("order_1", DUE.toEpochMilli());
		add("order_2", DUE.toEpochMilli());
		add("gone", DUE.toEpochMilli());
		this.fixture.redis.opsForHash().put(this.key + ":payloads", "order_1", "one");
		this.fixture.redis.opsForValue().set(this.key + ":order_2", "two");
		MigrationProgress progress = this.fixture
			.move(SortedSetMigration.from(this.key).to(QUEUE).payload((member, stored) -> {
				String hash = stored.hash(this.key + ":payloads", member);
				return (hash != null) ? hash : stored.string(this.key + ":" + member);
			}).build());
		this.fixture.redis.delete(this.key + ":order_2");
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class))
			.containsExactly("one", "two");
		assertThat(progress.left()).isEqualTo(1);
		assertThat(progress.unreadable()).isEqualTo(1);
		assertThat(this.fixture.redis.opsForZSet().score(this.key, "gone")).isNotNull();
	}

	@Test
	void whatCannotBeAskedForIsTriedAgainAndNotCalledUnreadable() {
		add("order_1", DUE.toEpochMilli());
		AtomicBoolean failing = new AtomicBoolean(true);
		MigrationRunner runner = this.fixture
			.runner(SortedSetMigration.from(this.key).to(QUEUE).payload((member, stored) -> {
				if (failing.get()) {
					throw new StoreUnavailableException(null, null, "no connection", null);
				}
				return member;
			}).build());
		runner.start();
		Awaitility.await().during(Duration.ofMillis(200)).until(() -> runner.progress().get(0).unreadable() == 0);
		failing.set(false);
		Awaitility.await().until(() -> this.fixture.scheduled().size() == 1);
	}

	@Test
	void keyOfAnotherTypeHoldsUpItsOwnEntryOnly(CapturedOutput output) {
		List<String> members = List.of("order_1", "order_2", "order_3");
		for (String member : members) {
			add(member, DUE.toEpochMilli());
			this.fixture.redis.opsForValue().set(this.key + ":" + member, member);
		}
		String wrong = this.key + ":order_2";
		this.fixture.redis.delete(wrong);
		this.fixture.redis.opsForHash().put(wrong, "payload", "order_2");
		Migration migration = SortedSetMigration.from(this.key)
			.to(QUEUE)
			.payload((member, stored) -> stored.string(this.key + ":" + member))
			.build();
		assertThat(this.fixture.move(migration)).isEqualTo(new MigrationProgress(this.key, QUEUE, 2, 0, 1, 0, 1));
		assertThat(output).contains("The key '" + wrong + "' is of another type");
		this.fixture.redis.delete(wrong);
		this.fixture.redis.opsForValue().set(wrong, "order_2");
		assertThat(this.fixture.move(migration).moved()).isEqualTo(3);
		members.forEach((member) -> this.fixture.redis.delete(this.key + ":" + member));
	}

	@Test
	void taskMayRecurFromItsDueTimeOn() {
		add("cron", DUE.toEpochMilli());
		add("steps", DUE.toEpochMilli());
		this.fixture.move(SortedSetMigration.from(this.key).to(QUEUE).task((member, request) -> {
			if (member.equals("cron")) {
				request.cron("0 0 9 * * *", ZoneOffset.UTC);
			}
			else {
				request.every(Duration.ofHours(1));
			}
		}).build());
		assertThat(this.fixture.scheduled()).hasSize(2).allSatisfy((task) -> {
			assertThat(task.dueAt()).isEqualTo(DUE);
			assertThat(task.recurrence()).isNotNull();
		});
		assertThat(this.fixture.delayQueue.find(QUEUE, "steps").orElseThrow().recurrence().next(DUE))
			.isEqualTo(DUE.plus(Duration.ofHours(1)));
	}

	@Test
	void whatCannotBeAnIdStays() {
		add("", DUE.toEpochMilli());
		add("x".repeat(257), DUE.toEpochMilli());
		add("two\nlines", DUE.toEpochMilli());
		byte[] noText = { (byte) 0xff, 0 };
		this.fixture.redis.execute((RedisCallback<Boolean>) (connection) -> connection.zSetCommands()
			.zAdd(this.key.getBytes(StandardCharsets.UTF_8), 1, noText));
		add("order_1", DUE.toEpochMilli());
		MigrationProgress progress = this.fixture.move(SortedSetMigration.from(this.key).to(QUEUE).build());
		assertThat(progress).isEqualTo(new MigrationProgress(this.key, QUEUE, 1, 0, 4, 0, 4));
		assertThat(this.fixture.redis.opsForZSet().size(this.key)).isEqualTo(4);
	}

	@Test
	void whoeverRemovesAMemberOwnsIt() {
		int members = 2000;
		for (int i = 0; i < members; i++) {
			add("order_" + i, 1);
		}
		Queue<String> moved = this.fixture.handleAll();
		Queue<String> polled = new ConcurrentLinkedQueue<>();
		CountDownLatch taken = new CountDownLatch(1);
		// the loop that people write
		this.fixture.repeat("old poller", () -> {
			taken.await();
			for (String member : this.fixture.redis.opsForZSet().rangeByScore(this.key, 0, 2, 0, 10)) {
				if (this.fixture.redis.opsForZSet().remove(this.key, member) == 1) {
					polled.add(member);
				}
			}
		});
		// both have begun before either can have taken all
		this.fixture.runner((step) -> {
			taken.countDown();
			Awaitility.await().until(() -> !polled.isEmpty());
		}, SortedSetMigration.from(this.key).to(QUEUE).build()).start();
		Awaitility.await().until(() -> moved.size() + polled.size() >= members);
		List<String> all = new ArrayList<>(moved);
		all.addAll(polled);
		assertThat(all).hasSize(members).doesNotHaveDuplicates();
		assertThat(moved).isNotEmpty();
		assertThat(polled).isNotEmpty();
	}

	@Test
	void roundThatOutlastsTheStopOfItsRunnerIsNotJoinedByAnother() {
		add("order_1", DUE.toEpochMilli());
		AtomicInteger rounds = new AtomicInteger();
		CountDownLatch stopped = new CountDownLatch(1);
		MigrationRunner runner = this.fixture.runner((step) -> {
			if (step == MoveStep.TAKEN) {
				rounds.incrementAndGet();
				Awaitility.await().until(() -> stopped.getCount() == 0);
			}
		}, SortedSetMigration.from(this.key).to(QUEUE).build());
		runner.start();
		Awaitility.await().until(() -> rounds.get() == 1);
		// who is interrupted does not wait for the round
		Thread.currentThread().interrupt();
		runner.stop();
		assertThat(Thread.interrupted()).isTrue();
		runner.start();
		Awaitility.await().until(() -> rounds.get() > 1 || isBlocked("delay-queue-migration-"));
		assertThat(rounds).hasValue(1);
		stopped.countDown();
		Awaitility.await().until(() -> MigrationFixture.isDone(runner.progress().get(0)));
		assertThat(runner.progress().get(0)).isEqualTo(new MigrationProgress(this.key, QUEUE, 1, 0, 0, 0, 0));
		assertThat(rounds).hasValue(1);
	}

	private static boolean isBlocked(String threads) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().startsWith(threads) && thread.getState() == Thread.State.BLOCKED);
	}

	private void add(String member, double score) {
		this.fixture.redis.opsForZSet().add(this.key, member, score);
	}

}
