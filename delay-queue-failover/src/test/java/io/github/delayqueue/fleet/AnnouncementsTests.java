package io.github.delayqueue.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Announcements}.
 */
class AnnouncementsTests {

	private static final Duration EVERY = Duration.ofMinutes(1);

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final AtomicLong nanoTime = new AtomicLong(-5);

	private final Announcements announcements = new Announcements(this.store, this.nanoTime::get, EVERY, 2);

	@Test
	void announcesAQueueOnFirstUse() {
		this.announcements.announce("a");
		this.announcements.announce("b");
		this.announcements.announce("a");
		assertThat(QueueView.of(this.store).queues()).containsExactly("a", "b");
		assertThat(this.store.calls("announce")).hasSize(2);
	}

	@Test
	void announcesAgainAfterAMinute() {
		this.announcements.announce("a");
		this.nanoTime.addAndGet(EVERY.toNanos() - 1);
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(1);
		this.nanoTime.incrementAndGet();
		this.announcements.announce("a");
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(2);
	}

	@Test
	void failureIsNotPassedOnAndRepeatedSoonButNotAtOnce() {
		this.store.fail(Step.ANNOUNCE);
		this.announcements.announce("a");
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(1);
		this.nanoTime.addAndGet(Announcements.AGAIN_AFTER.toNanos());
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(2);
	}

	@Test
	void nameIsNewAgainAfterItWasForgottenOrTooManyOthersCame() {
		this.announcements.announce("a");
		this.announcements.forget("a");
		assertThat(this.announcements.announce("a")).isTrue();
		this.announcements.announce("b");
		this.announcements.announce("c");
		assertThat(this.announcements.announce("a")).isTrue();
	}

}
