package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.client.codec.StringCodec;

import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.migration.MovingArea.LockLostException;
import io.github.delayqueue.migration.MovingArea.MovingRecord;
import io.github.delayqueue.testsupport.Heavy;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A migration that ends between any two of its steps is resumed, and nothing is lost.
 * Only what it has scheduled, and its queue has forgotten before the records are dropped,
 * is scheduled once more.
 */
@Heavy
class MigrationResumeIntegrationTests {

	@AutoClose
	private final MigrationFixture fixture = new MigrationFixture();

	private final String name = this.fixture.source;

	private final List<String> values = IntStream.range(0, 40).mapToObj((i) -> "a" + i).toList();

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pauses = new AtomicInteger();

	private Migration texts() {
		return RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build();
	}

	private OldQueue<String> old() {
		return this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), this.name);
	}

	/** Nothing more is done after that step. */
	private void runUntil(MoveStep step) {
		this.fixture.runUntil(step, texts());
	}

	@ParameterizedTest
	@EnumSource
	void isResumedAfterEachStep(MoveStep step) {
		OldQueue<String> old = old();
		List<String> values = new ArrayList<>();
		for (int i = 0; i < 150; i++) {
			values.add("a" + i);
			old.offer("a" + i, 1, TimeUnit.HOURS);
		}
		runUntil(step);
		assertThat(this.fixture.runner(texts()).progress().get(0).moved())
			.isEqualTo((step == MoveStep.DROPPED) ? 100 : 0);
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 150, 0, 0, 0, 0));
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class))
			.containsExactlyInAnyOrderElementsOf(values);
		assertThat(this.fixture.delayQueue.stats(QUEUE).totals().scheduled()).isEqualTo(150);
	}

	@ParameterizedTest
	@EnumSource
	void whatHasBeenHandledMeanwhileIsMovedAgainOnlyIfItsRecordsAreThere(MoveStep step) {
		List<String> values = IntStream.range(0, 60).mapToObj((i) -> "a" + i).toList();
		this.fixture.redis.opsForList().rightPushAll(this.name, values);
		runUntil(step);
		List<String> before = this.fixture.handleDue();
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 60, 0, 0, 0, 0));
		List<String> after = this.fixture.handleDue();
		List<List<String>> expected = switch (step) {
			case TAKEN -> List.of(List.of(), values);
			case SCHEDULED -> List.of(values, values);
			case DROPPED -> List.of(values, List.of());
		};
		assertThat(before).containsExactlyInAnyOrderElementsOf(expected.get(0));
		assertThat(after).containsExactlyInAnyOrderElementsOf(expected.get(1));
		assertThat(this.fixture.scheduled()).isEmpty();
	}

	@Test
	void whatHasBeenCancelledMeanwhileComesBackOnlyIfItsRecordIsThere() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		runUntil(MoveStep.SCHEDULED);
		assertThat(this.fixture.delayQueue.cancel(QUEUE, this.fixture.scheduled().get(0).id())).isTrue();
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(1);
		assertThat(this.fixture.handleDue()).containsExactly("a");
		this.fixture.redis.opsForList().rightPush(this.name, "b");
		runUntil(MoveStep.DROPPED);
		assertThat(this.fixture.delayQueue.cancel(QUEUE, this.fixture.scheduled().get(0).id())).isTrue();
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(2);
		assertThat(this.fixture.handleDue()).isEmpty();
	}

	@Test
	void whatCannotBeReadAnyMoreStaysInTheMovingArea() {
		old().offer("a", 1, TimeUnit.HOURS);
		runUntil(MoveStep.TAKEN);
		MigrationProgress progress = this.fixture
			.move(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.json()).build());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 0, 0, 0, 1, 1));
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(1);
	}

	@Test
	void deadInstanceIsResumedByAnotherOneWhenItsLockHasRunOut() {
		old().offer("a", 1, TimeUnit.HOURS);
		runUntil(MoveStep.TAKEN);
		// the dead one keeps it
		String lock = this.fixture.prefix + "moving:{" + this.name + "}:lock";
		this.fixture.redis.opsForValue().set(lock, "dead");
		MigrationRunner other = this.fixture.runner(texts());
		other.start();
		Awaitility.await().during(Duration.ofMillis(200)).until(() -> other.progress().get(0).moving() == 1);
		this.fixture.redis.expire(lock, Duration.ofMillis(1));
		Awaitility.await().until(() -> other.progress().get(0).moved() == 1);
	}

	@Test
	void whoHasNotTheLockChangesNothing() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		runUntil(MoveStep.TAKEN);
		this.fixture.redis.opsForList().rightPush(this.name, "b");
		MovingArea holder = area();
		MovingArea other = area();
		assertThat(holder.hold()).isTrue();
		assertThat(other.hold()).isFalse();
		String key = other.records().iterator().next().key();
		Source.Place due = texts().source().places().get(2);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(other::keep);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> other.drop(MovingArea.MOVED, List.of(key)));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> other.take(due, 1, Map.of("key", Tasks.bytes("b"))));
		other.letGo();
		assertThat(other.hold()).isFalse();
		assertThat(other.records()).extracting(MovingRecord::due).containsExactly(true);
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("b");
		holder.letGo();
		assertThatExceptionOfType(LockLostException.class).as("free, but not ours").isThrownBy(holder::keep);
		assertThat(other.hold()).isTrue();
		other.letGo();
	}

	@Test
	void noMoreOfEqualValuesAreTakenThanThereAre() {
		this.fixture.redis.opsForList().rightPushAll(this.name, "a", "b");
		MovingArea area = area();
		assertThat(area.hold()).isTrue();
		Map<String, byte[]> entries = new LinkedHashMap<>();
		entries.put("one", Tasks.bytes("b"));
		entries.put("two", Tasks.bytes("b"));
		assertThat(area.take(texts().source().places().get(2), 2, entries)).isEqualTo(Map.of("one", 0.0));
		assertThat(area.records()).extracting(MovingRecord::key).containsExactly("one");
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("a");
		area.drop(MovingArea.MOVED, List.of("one"));
		area.letGo();
	}

	/** A driver repeats a call whose answer was cut off. */
	@Test
	void equalValuesAreNotLostWhenTheirTakingIsSentTwice() {
		this.fixture.redis.opsForList().rightPushAll(this.name, "a", "a", "a");
		MovingArea area = area();
		assertThat(area.hold()).isTrue();
		Map<String, byte[]> entries = new LinkedHashMap<>();
		entries.put("one", Tasks.bytes("a"));
		entries.put("two", Tasks.bytes("a"));
		Source.Place due = texts().source().places().get(2);
		assertThat(area.take(due, 3, entries)).containsOnlyKeys("one", "two");
		assertThat(area.take(due, 3, entries)).isEmpty();
		assertThat(area.records()).hasSize(2);
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("a");
		area.drop(MovingArea.MOVED, List.of("one", "two"));
		area.letGo();
	}

	private MovingArea area() {
		return new MovingArea(this.fixture.connections, MovingArea.key(this.fixture.prefix, this.name),
				Duration.ofSeconds(30));
	}

	/**
	 * Whoever has been paused beyond its lease while it was reading goes on where another
	 * one has finished, and notices that before it schedules anything.
	 */
	@Test
	void instanceThatIsPausedWhileItReadsWhatItResumesDoublesNothing() {
		this.fixture.redis.opsForList().rightPushAll(this.name, this.values);
		runUntil(MoveStep.TAKEN);
		assertThat(handledBy(this.fixture
			.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).task((value, task) -> {
				if (this.pauses.getAndIncrement() == 0) {
					pause();
				}
			}).build()))).hasSize(40);
	}

	/** What the other one finds in the moving area is handled and forgotten then. */
	@ParameterizedTest
	@EnumSource(names = { "TAKEN", "SCHEDULED" })
	void instanceThatIsPausedWhileItSchedulesDoublesABatchAtMost(MoveStep step) {
		this.fixture.redis.opsForList().rightPushAll(this.name, this.values);
		assertThat(handledBy(this.fixture.runner((done) -> {
			if (done == step && this.pauses.getAndIncrement() == 0) {
				pause();
			}
		}, texts()))).hasSizeBetween(40, 80);
	}

	/** As a partition that is away, or replicas that are, let whole rounds fail. */
	@Test
	void roundsThatFailAfterTheyHaveScheduledDoubleABatchOnceAndThenOneEntryEach() {
		this.fixture.redis.opsForList().rightPushAll(this.name, this.values);
		assertThat(handledBy(this.fixture.runner((done) -> {
			if (done == MoveStep.SCHEDULED && this.pauses.getAndIncrement() < 10) {
				Awaitility.await().until(this.fixture::isIdle);
				throw new IllegalStateException("some are scheduled, others are not");
			}
		}, texts()))).hasSizeBetween(80, 90);
	}

	@Test
	void readersThatTakeLongerThanTheLeaseHoldUpNothing() {
		this.fixture.redis.opsForList().rightPushAll(this.name, this.values);
		String lock = this.fixture.prefix + "moving:{" + this.name + "}:lock";
		Migration migration = RedissonMigration.from(this.name)
			.to(QUEUE)
			.payload(RedissonPayloads.text())
			.task((value, task) -> this.fixture.redis.delete(lock))
			.build();
		assertThat(this.fixture.move(migration).moved()).isEqualTo(40);
	}

	/** The lock runs out, and another instance does all that is to be done. */
	private void pause() {
		this.fixture.redis.delete(this.fixture.prefix + "moving:{" + this.name + "}:lock");
		this.fixture.move(texts());
		Awaitility.await().until(() -> this.handled.containsAll(this.values));
	}

	private Collection<String> handledBy(MigrationRunner paused) {
		this.fixture.handleAll(this.handled);
		paused.start();
		Awaitility.await().until(() -> this.pauses.get() > 0 && this.handled.containsAll(this.values));
		Awaitility.await()
			.pollDelay(Duration.ofMillis(200))
			.until(() -> MigrationFixture.isDone(paused.progress().get(0)));
		paused.stop();
		Awaitility.await().until(this.fixture::isIdle);
		assertThat(this.handled).containsAll(this.values);
		assertThat(paused.progress().get(0).moved()).isEqualTo(40);
		return this.handled;
	}

}
