package io.github.delayqueue.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.ManualTimer;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests of {@link Housekeeping}: when it tends.
 */
class HousekeepingTests {

	private static final String QUEUE = "orders";

	private final TaskRetention retention = mock(TaskRetention.class);

	private final ConsumerPart.Consumer consumer = mock(ConsumerPart.Consumer.class);

	private final RecordingEvents events = new RecordingEvents();

	/** What is to be done beside claims. */
	private final List<Runnable> beside = new ArrayList<>();

	/** Whether a thread is free for that. */
	private boolean free = true;

	private final ManualThreads threads = new ManualThreads(new ManualTimer(),
			(calls) -> this.free && this.beside.add(calls));

	private final Housekeeping housekeeping = new Housekeeping();

	@BeforeEach
	void join() {
		TaskStore store = mock(TaskStore.class);
		given(store.role(TaskRetention.class)).willReturn(this.retention);
		given(this.consumer.endpoint())
			.willReturn(new DelayQueueListenerEndpoint("id", QUEUE, String.class, (deliveries) -> {
				throw new UnsupportedOperationException();
			}, ListenerOptions.defaults(), "test"));
		given(this.consumer.options()).willReturn(QueueOptions.DEFAULTS);
		given(this.consumer.isRunning()).willReturn(true);
		this.housekeeping.join(new ConsumerPart.Scope(store, Codecs.create(), new TaskEvents(List.of(this.events)),
				this.threads, () -> List.of(this.consumer)));
	}

	@Test
	void tendsBesideWhenAClaimSaysSoAndSoonAgainWhileOldTasksAreLeftToRemove() {
		claimed(false);
		assertThat(this.beside).isEmpty();
		given(this.retention.tend(QUEUE, Retention.NONE)).willReturn(new Tended(List.of("dead"), true));
		claimed(true);
		claimed(true);
		assertThat(this.beside).as("once, while it has not ended").hasSize(1);
		this.beside.remove(0).run();
		assertThat(this.events.purged()).containsExactly("dead");
		assertThat(this.threads.watch.last().delay()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(5));
		given(this.retention.tend(QUEUE, Retention.NONE)).willReturn(new Tended(List.of(), false));
		this.threads.watch.last().fire();
		this.beside.remove(0).run();
		assertThat(this.beside).as("until a claim says so again").isEmpty();
		then(this.retention).should(times(2)).tend(any(), any());
	}

	@Test
	void tendsNoMoreForAConsumerThatHasStopped() {
		given(this.retention.tend(QUEUE, Retention.NONE)).willReturn(new Tended(List.of(), true));
		claimed(true);
		this.beside.remove(0).run();
		given(this.consumer.isRunning()).willReturn(false);
		this.threads.watch.last().fire();
		assertThat(this.beside).isEmpty();
	}

	@Test
	void isTriedAgainWhenTheNextClaimSaysSoWhereItFails() {
		given(this.retention.tend(any(), any())).willThrow(new DelayQueueException(QUEUE, null, "refused"));
		for (int i = 1; i <= 2; i++) {
			claimed(true);
			this.beside.remove(0).run();
			then(this.retention).should(times(i)).tend(any(), any());
		}
	}

	/** A thread for it may be missing. */
	@Test
	void tendsLaterWhereNoThreadIsFree() {
		this.free = false;
		claimed(true);
		this.free = true;
		this.threads.watch.last().fire();
		assertThat(this.beside).hasSize(1);
	}

	private void claimed(boolean untended) {
		ClaimNotes notes = new ClaimNotes(List.of(), false, List.of(), untended);
		this.housekeeping.claimed(this.consumer, QUEUE, new ClaimResult(List.of(), Instant.EPOCH, null, true, notes));
	}

}
