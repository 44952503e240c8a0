package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.client.codec.StringCodec;

import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.testsupport.Heavy;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A migration that ends between any two of its steps is resumed, and what it has moved is
 * moved once.
 */
@Heavy
class MigrationResumeIntegrationTests {

	private final MigrationFixture fixture = new MigrationFixture();

	private final String name = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private Migration texts() {
		return RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build();
	}

	private OldQueue<String> old() {
		return this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), this.name);
	}

	/** Nothing more is done after that step. */
	private void runUntil(Step step) {
		this.fixture.runUntil(step, texts());
	}

	@ParameterizedTest
	@EnumSource
	void isResumedAfterEachStep(Step step) {
		OldQueue<String> old = old();
		List<String> values = new ArrayList<>();
		for (int i = 0; i < 150; i++) {
			values.add("a" + i);
			old.offer("a" + i, 1, TimeUnit.HOURS);
		}
		runUntil(step);
		assertThat(this.fixture.runner(texts()).progress().get(0).moved()).isEqualTo((step == Step.DROPPED) ? 100 : 0);
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 150, 0, 0, 0, 0));
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class))
			.containsExactlyInAnyOrderElementsOf(values);
		assertThat(this.fixture.scheduled()).extracting(TaskDetails::dueAt)
			.allMatch((due) -> due.isBefore(Destination.PARKED));
		assertThat(this.fixture.delayQueue.stats(QUEUE).totals().scheduled()).isEqualTo(150);
	}

	@ParameterizedTest
	@EnumSource
	void whatHasBeenHandledMeanwhileIsNotMovedAgain(Step step) {
		for (int i = 0; i < 60; i++) {
			this.fixture.redis.opsForList().rightPush(this.name, "a" + i);
		}
		runUntil(step);
		List<String> handled = new ArrayList<>(this.fixture.handleDue());
		assertThat(handled).hasSize((step.compareTo(Step.RELEASED) < 0) ? 0 : 60);
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress.moved()).isEqualTo(60);
		handled.addAll(this.fixture.handleDue());
		assertThat(handled).hasSize(60).doesNotHaveDuplicates();
		assertThat(this.fixture.scheduled()).isEmpty();
	}

	@Test
	void whatHasFailedMeanwhileIsRetriedWhenItWasToBe() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		runUntil(Step.RELEASED);
		this.fixture.delayQueue.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).retry(Duration.ofHours(1));
		this.fixture.move(texts());
		assertThat(this.fixture.handleDue()).isEmpty();
		assertThat(this.fixture.scheduled()).hasSize(1);
	}

	@Test
	void whatHasBeenCancelledMeanwhileStaysCancelled() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		runUntil(Step.MARKED);
		this.fixture.delayQueue.cancel(QUEUE, this.fixture.scheduled().get(0).id());
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(1);
		assertThat(this.fixture.scheduled()).isEmpty();
	}

	@Test
	void whatIsParkedIsNotDue() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		runUntil(Step.PARKED);
		assertThat(this.fixture.handleDue()).isEmpty();
		assertThat(this.fixture.scheduled()).extracting(TaskDetails::dueAt).containsExactly(Destination.PARKED);
	}

	@Test
	void whatCannotBeReadAnyMoreStaysInTheMovingArea() {
		old().offer("a", 1, TimeUnit.HOURS);
		runUntil(Step.TAKEN);
		MigrationProgress progress = this.fixture
			.move(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.json()).build());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 0, 0, 0, 1, 1));
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(1);
	}

	@Test
	void deadInstanceIsResumedByAnotherOneWhenItsLockHasRunOut() {
		old().offer("a", 1, TimeUnit.HOURS);
		runUntil(Step.TAKEN);
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
		runUntil(Step.TAKEN);
		this.fixture.redis.opsForList().rightPush(this.name, "b");
		MovingArea holder = area();
		MovingArea other = area();
		assertThat(holder.hold()).isTrue();
		assertThat(other.hold()).isFalse();
		String key = other.records().get(0).key();
		Place due = texts().source().places().get(2);
		Candidate candidate = new Candidate("key", MovingKeys.bytes("b"),
				this.fixture.destination.request(TaskRequest.queue(QUEUE).id("b")));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(other::keep);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> other.mark(Map.of(key, "a")));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> other.drop(MovingArea.Total.MOVED, List.of(key)));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> other.take(due, 1, List.of(candidate)));
		other.letGo();
		assertThat(other.hold()).isFalse();
		assertThat(other.records()).extracting(MovingRecord::state).containsExactly(MovingRecord.State.TAKEN_DUE);
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("b");
		holder.letGo();
		assertThat(other.hold()).isTrue();
		other.letGo();
	}

	@Test
	void noMoreOfEqualValuesAreTakenThanThereAre() {
		this.fixture.redis.opsForList().rightPushAll(this.name, "a", "b");
		MovingArea area = area();
		assertThat(area.hold()).isTrue();
		List<Candidate> candidates = List.of("one", "two")
			.stream()
			.map((key) -> new Candidate(key, MovingKeys.bytes("b"),
					this.fixture.destination.request(TaskRequest.queue(QUEUE).id(key))))
			.toList();
		assertThat(area.take(texts().source().places().get(2), 2, candidates)).containsExactly("0", null);
		assertThat(area.records()).extracting(MovingRecord::key).containsExactly("one");
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("a");
		area.drop(MovingArea.Total.MOVED, List.of("one"));
		area.letGo();
	}

	private MovingArea area() {
		return new MovingArea(this.fixture.connections, new MovingKeys(this.fixture.prefix, this.name),
				Duration.ofSeconds(30));
	}

	/**
	 * Whoever has been paused beyond its lease goes on where another one has finished.
	 */
	@ParameterizedTest
	@EnumSource(names = { "TAKEN", "PARKED", "MARKED", "RELEASED" })
	void pausedInstanceDoublesNothing(Step step) {
		Queue<String> handled = this.fixture.handleAll();
		for (int i = 0; i < 40; i++) {
			this.fixture.redis.opsForList().rightPush(this.name, "a" + i);
		}
		AtomicInteger pauses = new AtomicInteger();
		MigrationRunner paused = this.fixture.runner((done) -> {
			if (done == step && pauses.getAndIncrement() == 0) {
				// its lock runs out, and the other one does all that is to be done
				this.fixture.redis.delete(this.fixture.prefix + "moving:{" + this.name + "}:lock");
				this.fixture.move(texts());
				Awaitility.await().until(() -> handled.size() == 40);
			}
		}, texts());
		paused.start();
		Awaitility.await().until(() -> pauses.get() > 0 && handled.size() == 40);
		Awaitility.await()
			.pollDelay(Duration.ofMillis(200))
			.until(() -> MigrationFixture.isDone(paused.progress().get(0)));
		paused.stop();
		assertThat(handled).hasSize(40).doesNotHaveDuplicates();
		assertThat(this.fixture.scheduled()).isEmpty();
		assertThat(paused.progress().get(0).moved()).isEqualTo(40);
	}

}
