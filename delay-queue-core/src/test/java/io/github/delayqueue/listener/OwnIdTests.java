package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.event.CurrentHandler;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that schedule the id of their own task anew.
 */
class OwnIdTests {

	private static final String QUEUE = "orders";

	private static final int RUNS = 5;

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final RecordingEvents events = new RecordingEvents();

	@AutoClose
	private final ListenerFixture instance = new ListenerFixture(this.store, this.events);

	private final DelayQueueTemplate template = new DelayQueueTemplate(this.store, this.instance.codec(),
			TaskEvents.NONE, (queue) -> QueueOptions.DEFAULTS);

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void areNotStale() {
		this.instance.register(QUEUE, (task, context) -> {
			if (this.runs.incrementAndGet() < RUNS) {
				this.template.schedule(request("task", Duration.ofMillis(20)));
			}
			return TaskResult.done();
		}, ListenerOptions.defaults());
		this.template.schedule(request("task", Duration.ZERO));
		await().until(() -> this.events.ends().size() == RUNS);
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.SUCCESS);
		assertThat(this.store.stats(QUEUE).totals()).returns(0L, QueueStats.Totals::stale)
			.returns(1L, QueueStats.Totals::completed)
			.returns(RUNS - 1L, QueueStats.Totals::replaced);
		assertThat(this.runs).hasValue(RUNS);
	}

	@Test
	void whatDoesSoAndIsRolledBackIsSettledAsEver() {
		this.instance.register(QUEUE, (task, context) -> {
			CurrentHandler.replaced(QUEUE, task.id());
			return TaskResult.done();
		}, ListenerOptions.defaults());
		this.template.schedule(request("task", Duration.ZERO));
		await().until(() -> this.events.ends().size() == 1);
		assertThat(this.events.outcomes()).containsExactly(DeliveryOutcome.SUCCESS);
		assertThat(this.store.stats(QUEUE).totals().completed()).isOne();
		assertThat(this.store.find(QUEUE, "task")).isEmpty();
	}

	@Test
	void whatSchedulesAnotherIdIsSettledAsEver() {
		this.instance.register(QUEUE, (task, context) -> {
			this.template.schedule(request("other", Duration.ofHours(1)));
			return TaskResult.done();
		}, ListenerOptions.defaults());
		this.template.schedule(request("other", Duration.ofHours(1)));
		this.template.schedule(request("task", Duration.ZERO));
		await().until(() -> this.events.ends().size() == 1);
		assertThat(this.store.stats(QUEUE).totals().completed()).isOne();
	}

	private static TaskRequest request(String id, Duration delay) {
		return TaskRequest.queue(QUEUE).id(id).payload("payload").delay(delay).build();
	}

}
