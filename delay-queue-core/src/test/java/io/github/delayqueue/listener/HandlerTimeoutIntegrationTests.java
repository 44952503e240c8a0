package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.StoredTask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Time-outs of handlers where several instances consume a queue.
 */
@Execution(ExecutionMode.CONCURRENT)
class HandlerTimeoutIntegrationTests {

	private static final String QUEUE = "orders";

	private static final Duration TIMEOUT = Duration.ofMillis(1500);

	/** Extended once before the time-out. */
	private static final Duration TTR = Duration.ofSeconds(3);

	private static final Duration SHORT_TIMEOUT = Duration.ofMillis(300);

	private final RedisStores stores = RedisStores.onShared("timeout");

	private final List<ListenerFixture> instances = new ArrayList<>();

	private final RecordingEvents events = new RecordingEvents();

	private final Gate gate = new Gate();

	@BeforeEach
	void start() {
		IntStream.range(0, 3).forEach((i) -> addInstance());
	}

	@AfterEach
	void close() {
		this.gate.open();
		this.instances.forEach(ListenerFixture::close);
		this.stores.close();
	}

	private void addInstance() {
		this.instances.add(new ListenerFixture(this.stores.open(), this.events));
	}

	@Test
	void failuresAreCountedWhicheverInstanceTheyHappenOn() {
		Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
		for (ListenerFixture instance : this.instances) {
			instance.register(QUEUE, (task, context) -> {
				attempts.add(task.failures());
				return this.gate.pass();
			}, ListenerFixture.attempts(3).concurrency(1).ttr(Duration.ofMinutes(10)).timeout(SHORT_TIMEOUT).build());
		}
		this.instances.get(0).schedule(QUEUE, "task", "payload", Duration.ZERO);
		await().until(() -> this.stores.get(0).stats(QUEUE).dead() == 1);
		assertThat(attempts).containsExactly(0, 1, 2);
		StoredTask task = this.stores.get(0).find(QUEUE, "task").orElseThrow();
		assertThat(task.failures()).isEqualTo(3);
		assertThat(task.leasesLost()).isZero();
		assertThat(this.instances.get(0).failureOf(QUEUE, "task").type()).isEqualTo(TimeoutException.class.getName());
		await().until(() -> this.events.ends().size() == 3);
		assertThat(this.events.ends())
			.allSatisfy((end) -> assertThat(end.took()).isGreaterThanOrEqualTo(SHORT_TIMEOUT));
	}

	@Test
	void taskOfAHandlerThatTakesNoNoticeGoesToAnotherInstanceWhenItsLeaseHasRunOut() {
		Queue<Start> starts = new ConcurrentLinkedQueue<>();
		for (int i = 0; i < this.instances.size(); i++) {
			int number = i;
			this.instances.get(i).register(QUEUE, (task, context) -> {
				starts.add(new Start(number, task.id(), task.leasesLost(), System.nanoTime()));
				if (task.leasesLost() == 0 && "stuck".equals(task.payload())) {
					this.gate.passUninterrupted();
				}
				return TaskResult.done();
			}, ListenerFixture.attempts(3).concurrency(1).ttr(TTR).timeout(TIMEOUT).build());
		}
		long before = System.nanoTime();
		this.instances.get(0).schedule(QUEUE, "stuck", "stuck", Duration.ZERO);
		await().until(() -> starts.size() == 2);
		List<Start> both = List.copyOf(starts);
		assertThat(both.get(1).instance()).isNotEqualTo(both.get(0).instance());
		assertThat(both.get(1).leasesLost()).isEqualTo(1);
		// after the time-out its lease was extended no more, though it still runs
		assertThat(Duration.ofNanos(both.get(1).at() - before)).isGreaterThanOrEqualTo(TTR);
		assertThat(this.events.outcomes()).doesNotContain(DeliveryOutcome.STALE);
		for (int i = 0; i < 20; i++) {
			this.instances.get(0).schedule(QUEUE, "other-" + i, "quick", Duration.ZERO);
		}
		await().until(() -> this.stores.get(0).stats(QUEUE).totals().completed() == 21);
		assertThat(starts).filteredOn((start) -> start.instance() == both.get(0).instance()).hasSize(1);
		this.gate.open();
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		assertThat(this.stores.get(0).stats(QUEUE).totals()).returns(21L, (totals) -> totals.completed())
			.returns(1L, (totals) -> totals.leasesLost())
			.returns(1L, (totals) -> totals.stale());
	}

	private record Start(int instance, String id, int leasesLost, long at) {

	}

}
