package io.github.delayqueue.test;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;
import io.github.delayqueue.fleet.QueueUses;
import io.github.delayqueue.listener.DelayQueueListenerContainer;

/**
 * Looks into the queues of a test. The bean that tests inject to have something to make
 * assertions about:
 *
 * <pre class="code">
 * assertThat(tester.queue("order_timeout")).hasScheduled("order-1").dueIn(Duration.ofMinutes(30));
 * </pre>
 */
public final class DelayQueueTester implements AopInfrastructureBean {

	private final TestAccess access;

	private final TestStore store;

	private final TestTurns tests;

	private final Supplier<Instant> startAt;

	/** Has told the store of queues, which then knows of none. */
	private final QueueUses uses;

	/** Whether listeners run when the first test begins, by id. */
	private @Nullable Map<String, Boolean> listeners;

	DelayQueueTester(TestAccess access, TestStore store, TestTurns tests, Supplier<Instant> startAt, QueueUses uses) {
		this.access = access;
		this.store = store;
		this.tests = tests;
		this.startAt = startAt;
		this.uses = uses;
	}

	public TestQueue queue(String name) {
		Names.requireQueue(name);
		return new TestQueue(name, this.access);
	}

	/**
	 * A snapshot of the deliveries of this test that have ended, of all queues, in order.
	 */
	public List<EndedDelivery> deliveries() {
		return this.access.deliveries().ended();
	}

	/**
	 * A snapshot of the deliveries of this test that failed, of all queues, in order:
	 * those after which the task is retried, dead, or, if it recurs, has to wait for its
	 * next time.
	 */
	public List<EndedDelivery> failures() {
		return deliveries().stream().filter(EndedDelivery::isFailure).toList();
	}

	/**
	 * Fail, with what the first of them threw as the cause, if a handler has failed in
	 * this test.
	 */
	public void assertNoFailures() {
		List<EndedDelivery> failures = failures();
		if (!failures.isEmpty()) {
			throw new AssertionError(
					"Expected no handler to fail, but these deliveries did:"
							+ failures.stream().map((item) -> "\n  " + item).collect(Collectors.joining()),
					failures.get(0).cause());
		}
	}

	/**
	 * Begin anew: no tasks but the recurring ones that listeners have of their own, and
	 * no record of any delivery. The clock is set back, and the listeners run that run
	 * when the application has started. Called between test methods.
	 */
	public void reset() {
		forget();
		this.access.clock().show(this.startAt.get());
		resetListeners();
		this.access.registry().registerOwnTasks((id) -> true);
	}

	/** A test method begins, if it is its turn. */
	TestTurns.Turn begin(String test) {
		TestTurns.Turn turn = this.tests.take(test);
		reset();
		return turn;
	}

	/** A test method ends, and leaves nothing behind. */
	void end(TestTurns.Turn turn) {
		forget();
		this.tests.giveBack(turn);
	}

	private void forget() {
		this.access.deliveries().endUnfinished();
		this.store.store().reset();
		this.uses.begin();
		this.access.deliveries().forget();
	}

	private void resetListeners() {
		Collection<DelayQueueListenerContainer> containers = this.access.registry().getContainers();
		if (this.listeners == null) {
			this.listeners = containers.stream()
				.collect(Collectors.toMap(DelayQueueListenerContainer::getId, DelayQueueListenerContainer::isRunning));
			return;
		}
		for (DelayQueueListenerContainer container : containers) {
			Boolean running = this.listeners.get(container.getId());
			if (running == null) {
				this.access.registry().unregister(container.getId());
			}
			else if (running) {
				container.start();
			}
			else {
				container.stop();
			}
		}
	}

}
