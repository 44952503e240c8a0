package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.Epoch;
import io.github.delayqueue.store.NewTask;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redis is restored from an older copy of itself, which knows its incarnation.
 */
class RewoundRedisTests {

	private static final String QUEUE = "orders";

	private final JournalFixture fixture = new JournalFixture();

	private final ReplayedRedis redis = new ReplayedRedis(this.fixture.clock, 1);

	private final JournaledTaskStore store = this.fixture.instance(new InstanceRedis(this.redis, (before) -> {
	}, InstanceRedis.Watch.NONE), this.fixture.clock);

	private final Loading loading = new Loading(QUEUE, this.store, TaskEvents.NONE);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void whatTheCopyDoesNotHaveIsRestoredAtTheNextBeat() {
		schedule("before");
		pass(2);
		int copied = this.redis.age();
		schedule("since");
		this.store.marks().flush();
		pass(3);
		this.redis.goBackTo(copied);
		assertThat(isInRedis("before")).isTrue();
		assertThat(isInRedis("since")).isFalse();
		pass(1);
		assertThat(isInRedis("since")).isTrue();
	}

	@Test
	void lossIsStillSeenWhenWhoeverHasNoticedItDies() {
		schedule("before");
		pass(2);
		this.store.marks().flush();
		int copied = this.redis.age();
		schedule("since");
		this.store.marks().flush();
		pass(1);
		this.redis.goBackTo(copied);
		Epoch known = remembered();
		// what a process does that dies before it has done anything about it
		this.redis.beat((store) -> store.beat(QUEUE, known, "noticed"), QUEUE);
		pass(2);
		assertThat(isInRedis("since")).isTrue();
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
		pass(200);
		assertThat(this.store.claim(QUEUE, ClaimRequest.of("token", 1, Duration.ofSeconds(30))).tasks()).singleElement()
			.satisfies((task) -> assertThat(task.envelope()).asString().isEqualTo("{\"v\":2}"));
	}

	private Epoch remembered() {
		return this.fixture.jdbc.sql("SELECT incarnation, beat FROM delay_queue_epoch")
			.query((result, number) -> new Epoch(result.getString(1), result.getLong(2)))
			.single();
	}

	private void schedule(String id) {
		schedule(id, "{}");
	}

	private void schedule(String id, String envelope) {
		this.store.schedule(QUEUE, List.of(new NewTask(id, envelope.getBytes(StandardCharsets.US_ASCII),
				DueTime.in(Duration.ofMinutes(10)), TaskPriority.NORMAL, DuplicatePolicy.REPLACE)));
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
