package io.github.delayqueue.producer;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Announcements}.
 */
class AnnouncementsTests {

	private final InterceptedStore store = new InterceptedStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final AtomicLong nanoTime = new AtomicLong(-5);

	private final Announcements announcements = new Announcements(this.store.proxy(), this.nanoTime::get);

	@Test
	void announcesAQueueOnFirstUse() {
		this.announcements.announce("a");
		this.announcements.announce("b");
		this.announcements.announce("a");
		assertThat(this.store.proxy().queues()).containsExactly("a", "b");
		assertThat(this.store.calls("announce")).hasSize(2);
	}

	@Test
	void announcesAgainAfterAMinute() {
		this.announcements.announce("a");
		this.nanoTime.addAndGet(Announcements.EVERY.toNanos() - 1);
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(1);
		this.nanoTime.incrementAndGet();
		this.announcements.announce("a");
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(2);
	}

	@Test
	void failureIsNotPassedOnAndNotRepeatedAtOnce() {
		this.store.fail("announce");
		this.announcements.announce("a");
		this.announcements.announce("a");
		assertThat(this.store.calls("announce")).hasSize(1);
	}

}
