package io.github.delayqueue.interrupts;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers of one instance, whose tasks another one takes from them. An extension tells
 * those whose message came before the subscription stood.
 */
@ParameterizedClass
@EnumSource(Driver.class)
class CancelInterruptsIntegrationTests {

	private static final int TASKS = 12;

	private static final QueueOptions GROUPED = QueueOptions.builder()
		.with(GroupedQueues.ENABLED, true)
		.with(GroupedQueues.CONCURRENCY, TASKS)
		.build()
		.withDefaults(QueueOptions.DEFAULTS);

	private final String queue = "orders";

	private final RecordingEvents events = new RecordingEvents();

	private final Gate gate = new Gate();

	private final Queue<String> interrupted = new ConcurrentLinkedQueue<>();

	@Parameter
	private Driver driver;

	private RedisStores stores;

	private ListenerFixture instance;

	private DelayQueueTemplate other;

	private TaskStore store;

	private void open(int partitions, QueueOptions options) {
		this.stores = DriverStores.on(this.driver.connect(TestRedis.server()))
			.keyPrefix("cancelled:" + UUID.randomUUID() + ":");
		this.instance = new ListenerFixture(store(partitions, options), options, ListenerFixture.threads(),
				List.of(new CancelInterrupts()), this.events);
		this.store = store(partitions, options);
		this.other = new DelayQueueTemplate(this.store, this.instance.codec(), TaskEvents.NONE, (queue) -> options,
				new QueueSteps(this.store, this.instance.codec()));
		this.instance.register(this.queue, (task, context) -> {
			try {
				this.gate.pass();
			}
			catch (InterruptedException ex) {
				assertThat(context.isCancelled()).isTrue();
				this.interrupted.add(task.id());
				throw ex;
			}
			return TaskResult.done();
		}, ListenerOptions.builder()
			.concurrency(TASKS)
			.leaseDuration(Duration.ofMinutes(10))
			.with(CancelInterrupts.INTERRUPT, true)
			.build());
	}

	private TaskStore store(int partitions, QueueOptions options) {
		RedisTaskStore store = this.stores.connect();
		if (options.get(GroupedQueues.ENABLED)) {
			store.add(new GroupedQueues((queue) -> options));
		}
		return new PartitionedTaskStore(store, (queue) -> partitions);
	}

	@AfterEach
	void close() {
		this.gate.open();
		this.instance.close();
		QueueControl.of(this.store).clear(this.queue);
		QueueControl.of(this.store).forget(this.queue);
		this.stores.close();
	}

	@Test
	void ofOneAreInterruptedAndTheOthersGoOn() {
		open(1, QueueOptions.DEFAULTS);
		run();
		assertThat(this.other.cancel(this.queue, "task-3")).isTrue();
		await().until(() -> this.events.outcomes().contains(DeliveryOutcome.STALE));
		assertThat(this.interrupted).containsExactly("task-3");
		assertThat(this.gate.waiting()).isEqualTo(TASKS - 1);
		this.gate.open();
		await().until(() -> this.events.ends().size() == TASKS);
		assertThat(this.events.outcomes()).containsOnlyOnce(DeliveryOutcome.STALE);
	}

	@Test
	void ofManyInSeveralPartitionsAreInterrupted() {
		open(3, QueueOptions.DEFAULTS);
		List<String> ids = run();
		assertThat(this.other.cancelAll(this.queue, ids)).hasSize(TASKS);
		awaitInterrupted();
	}

	@Test
	void ofReplacedTasksAreInterrupted() {
		open(3, QueueOptions.DEFAULTS);
		run().forEach((id) -> this.other.schedule(request(id).delay(Duration.ofDays(1)).build()));
		awaitInterrupted();
	}

	@Test
	void ofAClearedQueueAreInterrupted() {
		open(3, QueueOptions.DEFAULTS);
		run();
		assertThat(QueueControl.of(this.store).clear(this.queue)).isEqualTo(TASKS);
		awaitInterrupted();
	}

	@Test
	void ofTasksOfAGroupAreInterrupted() {
		open(1, GROUPED);
		run().forEach((id) -> assertThat(this.other.cancel(this.queue, id)).isTrue());
		awaitInterrupted();
	}

	/** So many tasks, until all of them are in their handlers. */
	private List<String> run() {
		List<String> ids = IntStream.range(0, TASKS).mapToObj((i) -> "task-" + i).toList();
		ids.forEach((id) -> this.other.schedule(request(id).delay(Duration.ZERO).build()));
		await().until(() -> this.gate.waiting() == TASKS);
		return ids;
	}

	private TaskRequest.Builder request(String id) {
		TaskRequest.Builder request = TaskRequest.queue(this.queue).id(id).payload("payload");
		boolean grouped = this.instance.registry().get(this.queue) instanceof ConsumerPart.Consumer consumer
				&& consumer.options().get(GroupedQueues.ENABLED);
		return grouped ? request.with(Group.group("one")) : request;
	}

	private void awaitInterrupted() {
		await().until(() -> this.events.ends().size() == TASKS);
		assertThat(this.interrupted).hasSize(TASKS);
		assertThat(this.events.outcomes()).containsOnly(DeliveryOutcome.STALE);
	}

}
