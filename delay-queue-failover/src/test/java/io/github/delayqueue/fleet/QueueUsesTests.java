package io.github.delayqueue.fleet;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.fleet.InstanceTrace.Consumer;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueUses}.
 */
class QueueUsesTests {

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final AtomicLong nanoTime = new AtomicLong();

	private final QueueUses uses = new QueueUses(this.store, this.nanoTime::get);

	@Test
	void queueIsAnnouncedAndAFailureToDoSoIsNotPassedOn() {
		this.store.fail(Step.ANNOUNCE);
		this.uses.scheduled("q");
		this.store.heal();
		this.uses.scheduled("r");
		this.uses.scheduled("r");
		assertThat(this.store.calls("announce")).hasSize(2);
		assertThat(QueueView.of(this.store).queues()).containsExactly("r");
		this.uses.begin();
		this.uses.scheduled("r");
		assertThat(this.store.calls("announce")).hasSize(3);
	}

	@Test
	void traceNamesTheQueuesThatArePolledAndIsThatOfAnotherInstanceAfterAStart() {
		this.uses.polled("q");
		this.nanoTime.addAndGet(Presence.EVERY.toNanos());
		this.uses.polled("r");
		assertThat(consumers()).extracting(Consumer::queue).containsExactlyInAnyOrder("q", "r");
		assertThat(consumers()).extracting(Consumer::listener).containsOnlyNulls();
		this.uses.begin();
		this.nanoTime.addAndGet(Presence.EVERY.toNanos());
		this.uses.polled("r");
		assertThat(Consumers.read(this.store).orElseThrow().instances()).hasSize(2);
	}

	private List<Consumer> consumers() {
		return Consumers.read(this.store).orElseThrow().instances().get(0).trace().consumers();
	}

}
