package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Redis is restored from an older copy of itself, which knows its incarnation.
 */
class RewoundRedisTests {

	private static final String QUEUE = "orders";

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final ReplayedRedis redis = new ReplayedRedis(this.fixture.clock, 1);

	/** What happens once, after the next call of Redis. */
	private final AtomicReference<@Nullable Runnable> afterCall = new AtomicReference<>();

	private final JournaledTaskStore store = this.fixture.instance(new InstanceRedis(this.redis, (before) -> {
		Runnable once = before ? null : this.afterCall.getAndSet(null);
		if (once != null) {
			once.run();
		}
	}, InstanceRedis.Watch.NONE), this.fixture.clock);

	private final SingleLoading loading = new SingleLoading(QUEUE, this.store.parts(), TaskEvents.NONE);

	@Test
	void whatTheCopyDoesNotHaveIsRestoredAtTheNextBeat() {
		schedule("before");
		pass(2);
		int copied = this.redis.age();
		schedule("since");
		pass(3);
		this.redis.goBackTo(copied);
		assertThat(isInRedis("before")).isTrue();
		assertThat(isInRedis("since")).isFalse();
		pass(1);
		assertThat(isInRedis("since")).isTrue();
	}

	@Test
	void lossIsStillSeenWhenWhoeverHasNoticedItDies() {
		int copied = copyOneBeatOld();
		this.redis.goBackTo(copied);
		Epoch known = remembered();
		// what a process does that dies before it has done anything about it
		this.redis.write((store) -> store.requireRole(Incarnations.class).beat(QUEUE, known, "noticed"));
		pass(2);
		assertThat(isInRedis("since")).isTrue();
	}

	@Test
	void lossIsStillSeenWhenTheTableCouldNotBeChanged() {
		int copied = copyOneBeatOld();
		this.redis.goBackTo(copied);
		this.fixture.clock.advance(Duration.ofSeconds(2));
		this.afterCall.set(() -> this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO gone").update());
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(this.loading::round);
		this.fixture.jdbc.sql("ALTER TABLE gone RENAME TO delay_queue_task").update();
		this.fixture.clock.advance(Duration.ofSeconds(10));
		pass(1);
		assertThat(isInRedis("since")).isTrue();
	}

	@Test
	void copyThatIsYoungerThanTheLastOneIsNoticedAsWell() {
		pass(1);
		int older = this.redis.age();
		pass(20);
		List<ReplayedRedis.Call> younger = this.redis.calls(this.redis.age());
		pass(1);
		this.redis.goBackTo(older);
		pass(3);
		schedule("a");
		pass(40);
		this.redis.become(younger);
		assertThat(isInRedis("a")).isFalse();
		pass(1);
		assertThat(isInRedis("a")).isTrue();
	}

	@Test
	void taskThatIsMovedWhileRedisBecomesAnOlderCopyKeepsItsContent() {
		pass(1);
		schedule("a", "{\"v\":1}");
		int copied = this.redis.age();
		schedule("a", "{\"v\":2}");
		this.fixture.transaction.executeWithoutResult((status) -> {
			assertThat(this.store.reschedule(QUEUE, "a", DueTime.in(Duration.ofMinutes(5)))).isTrue();
			this.redis.goBackTo(copied);
		});
		assertThat(this.store.find(QUEUE, "a").orElseThrow().envelope()).asString().isEqualTo("{\"v\":2}");
		pass(200);
		assertThat(this.store.claim(QUEUE, ClaimRequest.of("token", 1, Duration.ofSeconds(30))).tasks()).singleElement()
			.satisfies((task) -> assertThat(task.envelope()).asString().isEqualTo("{\"v\":2}"));
	}

	@Test
	void whatALoaderIsHandingOverWhenRedisIsLostIsRestored() {
		pass(1);
		long due = this.fixture.clock.instant().plus(Duration.ofMinutes(10)).toEpochMilli();
		Arrival entry = JournalTableFixture.arrival("a", new byte[] { '{', '}' }, due, TaskPriority.NORMAL,
				Replacement.REPLACE, false);
		this.fixture.transaction
			.executeWithoutResult((status) -> this.fixture.parts.table().write(QUEUE, List.of(entry), -1));
		this.fixture.clock.advance(Duration.ofMinutes(2));
		JournaledTaskStore instance = this.fixture.instance(new InstanceRedis(this.redis, (before) -> {
		}, InstanceRedis.Watch.NONE), this.fixture.clock);
		SingleLoading other = new SingleLoading(QUEUE, instance.parts(), TaskEvents.NONE);
		this.redis.goBackTo(0);
		AtomicReference<Runnable> step = new AtomicReference<>();
		step.set(() -> {
			if (isInRedis("a")) {
				this.redis.goBackTo(0);
				this.fixture.clock.advance(Duration.ofSeconds(11));
				other.round();
			}
			else {
				this.afterCall.set(step.get());
			}
		});
		this.afterCall.set(step.get());
		this.loading.round();
		this.afterCall.set(null);
		pass(2);
		assertThat(isInRedis("a")).isTrue();
	}

	/** A task that a copy has, and one that has been scheduled a beat later. */
	private int copyOneBeatOld() {
		schedule("before");
		pass(35);
		int copied = this.redis.age();
		schedule("since");
		pass(35);
		assertThat(isInRedis("since")).isTrue();
		return copied;
	}

	private Epoch remembered() {
		return this.fixture.jdbc
			.sql("SELECT incarnation, beat FROM delay_queue_epoch WHERE partition_name NOT LIKE '#%'")
			.query((result, number) -> new Epoch(result.getString(1), result.getLong(2)))
			.single();
	}

	private void schedule(String id) {
		schedule(id, "{}");
	}

	private void schedule(String id, String envelope) {
		this.store.schedule(QUEUE, List.of(new NewTask(id, envelope.getBytes(StandardCharsets.US_ASCII),
				DueTime.in(Duration.ofMinutes(10)), TaskPriority.NORMAL, Replacement.REPLACE)));
	}

	private void pass(int rounds) {
		for (int i = 0; i < rounds; i++) {
			this.fixture.clock.advance(Duration.ofSeconds(2));
			this.loading.round();
		}
	}

	private boolean isInRedis(String id) {
		return this.redis.read((store) -> store.find(QUEUE, id)).isPresent();
	}

}
