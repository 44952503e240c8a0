package io.github.delayqueue.fleet;

import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The trace that an instance leaves while it consumes.
 */
class PresenceTests {

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	@AutoClose
	private final ListenerFixture instance = Instances.open(this.store);

	private final AtomicInteger handled = new AtomicInteger();

	@Test
	void aTraceThatTakesForEverHurtsNoTask() {
		Gate gate = new Gate();
		this.store.before(Step.ATTEND, gate::passUninterrupted);
		register("q");
		await().until(() -> gate.entered() == 1);
		for (int i = 1; i <= 5; i++) {
			this.instance.schedule("q", "task-" + i, "payload", Duration.ZERO);
			int expected = i;
			await().until(() -> this.handled.get() == expected);
		}
		gate.open();
	}

	/** After a restore from a checkpoint several processes go on from there. */
	@Test
	void instanceThatIsStartedAgainIsAnother() {
		Set<String> tokens = ConcurrentHashMap.newKeySet();
		try (ListenerFixture restarted = Instances.open(new DelegatingTaskStore(this.store) {

			@Override
			public ClaimResult claim(String queue, ClaimRequest request) {
				tokens.add(request.token().substring(0, request.token().indexOf('-')));
				return super.claim(queue, request);
			}

		})) {
			restarted.register("q", (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			await().until(() -> tokens.size() == 1);
			String before = restarted.registry().getInstance();
			restarted.registry().stop();
			restarted.registry().start();
			await().until(() -> tokens.size() == 2);
			assertThat(restarted.registry().getInstance()).isNotEqualTo(before);
		}
	}

	@Test
	void instanceThatIsStartedAgainKeepsTheTasksThatItHolds() {
		Gate gate = new Gate();
		this.instance.register("q", (task, context) -> {
			this.handled.incrementAndGet();
			return gate.pass();
		}, ListenerOptions.builder().shutdownTimeout(Duration.ofMillis(1)).build());
		this.instance.schedule("q", "a", "payload", Duration.ZERO);
		await().until(() -> gate.waiting() == 1);
		String before = this.instance.registry().getInstance();
		this.instance.registry().stop();
		this.instance.registry().start();
		assertThat(this.instance.registry().getInstance()).as("has its leases in that name").isEqualTo(before);
		gate.open();
		await().until(() -> QueueView.of(this.store).stats("q").totals().completed() == 1);
		assertThat(QueueView.of(this.store).stats("q").totals().stale()).isZero();
		assertThat(this.handled).hasValue(1);
	}

	private void register(String queue) {
		this.instance.register(queue, (task, context) -> {
			this.handled.incrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().id(queue).build());
	}

}
