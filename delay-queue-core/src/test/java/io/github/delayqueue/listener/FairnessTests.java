package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Under a permanent load that uses up all workers, what is less urgent has its turn too.
 */
@Execution(ExecutionMode.CONCURRENT)
class FairnessTests {

	private static final String QUEUE = "orders";

	private static final int BACKLOG = 300;

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	private final ListenerFixture instance = new ListenerFixture(this.store);

	private final AtomicInteger load = new AtomicInteger();

	private final AtomicBoolean goOn = new AtomicBoolean(true);

	private final AtomicInteger handled = new AtomicInteger();

	@AfterEach
	void close() {
		this.goOn.set(false);
		this.instance.close();
	}

	@Test
	void deliversALowTaskUnderAPermanentLoadOfHighOnes() {
		addLoad(TaskPriority.HIGH);
		schedule("starving", TaskPriority.LOW);
		register(TaskPriority.HIGH);
		await().until(() -> this.handled.get() == 1);
		assertThat(this.store.stats(QUEUE).due()).as("load all the time").isPositive();
	}

	@Test
	void deliversATaskThatHasLostItsLeaseUnderAPermanentLoadOfQuickOnes() {
		schedule("starving", TaskPriority.NORMAL);
		this.store.claim(QUEUE, ClaimRequest.of("crashed", 1, Duration.ofMillis(500)));
		addLoad(TaskPriority.NORMAL);
		register(TaskPriority.NORMAL);
		await().until(() -> this.handled.get() == 1);
		assertThat(this.store.stats(QUEUE).totals().leasesLost()).isEqualTo(1);
		assertThat(this.store.stats(QUEUE).due()).as("load all the time").isPositive();
	}

	private void register(TaskPriority loadPriority) {
		this.instance.register(QUEUE, (task, context) -> {
			if ("starving".equals(task.id())) {
				this.handled.incrementAndGet();
			}
			else if (this.goOn.get()) {
				schedule("load-" + this.load.incrementAndGet(), loadPriority);
				LockSupport.parkNanos(500_000);
			}
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(1).build());
	}

	private void addLoad(TaskPriority priority) {
		for (int i = 0; i < BACKLOG; i++) {
			schedule("load-" + this.load.incrementAndGet(), priority);
		}
	}

	private void schedule(String taskId, TaskPriority priority) {
		byte[] envelope = this.instance.codec()
			.writeEnvelope(QUEUE, taskId, new Payload("payload", null), Map.of(), TaskOptions.NONE, 1000);
		this.store.schedule(QUEUE,
				List.of(new NewTask(taskId, envelope, DueTime.in(Duration.ZERO), priority, DuplicatePolicy.REPLACE)));
	}

}
