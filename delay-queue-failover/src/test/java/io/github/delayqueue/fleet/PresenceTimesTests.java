package io.github.delayqueue.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an instance leaves its trace, by a clock that the test turns.
 */
class PresenceTimesTests {

	private static final Duration MOMENT = Duration.ofNanos(1);

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 10);

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final Presence presence = new Presence(this.store, this.nanoTime::get, "", "");

	@Test
	void isAtOnceAndThenNowAndThen() {
		assertThat(this.presence.isDue()).isTrue();
		assertThat(this.presence.isDue()).isFalse();
		for (int i = 0; i < 3; i++) {
			pass(Presence.EVERY.minus(MOMENT));
			assertThat(this.presence.isDue()).isFalse();
			pass(MOMENT);
			assertThat(this.presence.isDue()).isTrue();
		}
	}

	@Test
	void isASecondAfterTheLastOneWhereSomebodyHasCome() {
		assertThat(this.presence.isDue()).isTrue();
		this.presence.changed();
		pass(Duration.ofSeconds(1).minus(MOMENT));
		assertThat(this.presence.isDue()).isFalse();
		pass(MOMENT);
		assertThat(this.presence.isDue()).isTrue();
		pass(Duration.ofSeconds(1));
		assertThat(this.presence.isDue()).isFalse();
	}

	@Test
	void isTriedAgainAtItsTimeWhereItCouldNotBeLeft() {
		this.store.fail(Step.ATTEND);
		assertThat(this.presence.isDue()).isTrue();
		leave();
		assertThat(this.store.calls(Step.ATTEND)).isOne();
		this.store.heal();
		pass(Presence.EVERY);
		assertThat(this.presence.isDue()).isTrue();
		leave();
		assertThat(this.store.requireRole(InstanceTraces.class).attendance().orElseThrow()).hasSize(1);
	}

	private void leave() {
		this.presence.leave(Presence.LATEST, List::of);
	}

	private void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
	}

}
