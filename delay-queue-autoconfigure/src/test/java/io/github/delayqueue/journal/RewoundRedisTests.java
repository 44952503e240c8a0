package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
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

	private void schedule(String id) {
		this.store.schedule(QUEUE, List.of(new NewTask(id, "{}".getBytes(StandardCharsets.US_ASCII),
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
