package io.github.delayqueue.test;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.bulk.BulkCalls;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fleet.QueueUses;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.journal.AfterCommitTaskStore;
import io.github.delayqueue.interceptors.Interceptors;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.polling.Polling;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.GroupTurns;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

/**
 * Auto-configuration of tests: store, clock and listeners in place of those that the
 * delay queue would declare, which back off. Public because auto-configurations are
 * referred to by class.
 */
@AutoConfiguration(before = DelayQueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueTestProperties.class)
public final class DelayQueueTestAutoConfiguration implements AopInfrastructureBean {

	static final String CLOCK = "delayQueueTestClock";

	private final DelayQueueTestProperties properties;

	private final DelayQueueSettings settings;

	DelayQueueTestAutoConfiguration(DelayQueueTestProperties properties, ObjectProvider<DelayQueueSettings> settings) {
		this.properties = properties;
		this.settings = settings.getIfAvailable(DelayQueueSettings::defaults);
	}

	/**
	 * Primary: applications inject a {@code Clock}, and may have declared one. Static, so
	 * that what makes the settings may have the clock.
	 */
	@Bean(CLOCK)
	@Primary
	static DelayQueueTestClock delayQueueTestClock(DelayQueueTestProperties properties, ObjectProvider<Driver> driver) {
		return new DelayQueueTestClock(properties.startTime(), driver::getObject);
	}

	@Bean
	TestTurns delayQueueTestTurns() {
		return new TestTurns();
	}

	@Bean
	TestStore delayQueueTestStore(DelayQueueTestClock clock) {
		InMemoryTaskStore store = new InMemoryTaskStore(clock);
		GroupedQueues groups = new GroupedQueues(this.settings::forQueue);
		store.setOrders((queue) -> GroupTurns.of(groups, queue));
		return new TestStore(store);
	}

	@Bean
	PartitionedTaskStore delayQueueTaskStore(TestStore store) {
		return new PartitionedTaskStore(store.store(), this.settings::partitions);
	}

	@Bean
	QueueUses delayQueueTestUses(TestStore store) {
		return new QueueUses(store.store());
	}

	/** As it always is, but what waits for a commit does not grow older meanwhile. */
	@Bean
	@ConditionalOnMissingBean(DelayQueueOperations.class)
	DelayQueueTemplate delayQueueTemplate(TaskStore store, TaskCodec codec, TaskEvents events,
			DelayQueueTestClock clock, TestTurns tests, QueueUses uses, ConfigurableApplicationContext context) {
		TaskStore scheduling = new CheckedTaskStore(store, tests, clock);
		if (this.settings.hasAfterCommit()) {
			scheduling = new AfterCommitTaskStore(scheduling, this.settings::afterCommit, events) {

				@Override
				protected long nanoTime() {
					return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
				}

			};
		}
		Polling polling = new Polling(scheduling, codec, events, this.settings::forQueue, uses::polled);
		polling.endWaitsWith(context);
		DelayQueueTemplate template = new DelayQueueTemplate(scheduling, codec, events, this.settings::forQueue, uses,
				polling, new BulkCalls(), new QueueSteps(scheduling, codec));
		template.setTaskClock(clock);
		return template;
	}

	@Bean
	DeliveryRecorder delayQueueTestDeliveries(DelayQueueTestClock clock) {
		return new DeliveryRecorder(clock);
	}

	@Bean
	TestListenerContainerRegistry delayQueueListenerContainerRegistry(TaskStore store, TaskCodec codec,
			TaskEvents events, DeliveryRecorder deliveries, DelayQueueTestClock clock,
			ObjectProvider<TaskInterceptor> interceptors) {
		return new TestListenerContainerRegistry(store, codec, events, this.settings::forQueue,
				this.properties.asyncTimeout(), deliveries, clock,
				new Interceptors(() -> interceptors.orderedStream().toList()));
	}

	@Bean
	Driver delayQueueTestDriver(DelayQueueTestClock clock, TestListenerContainerRegistry registry,
			DeliveryRecorder deliveries) {
		return new Driver(clock, registry, deliveries, this.properties, new AtomicBoolean());
	}

	/** With a template of its own: what a test looks at is not what it observes. */
	@Bean
	DelayQueueTester delayQueueTester(DelayQueueTestClock clock, TaskStore store, TestStore testStore, TaskCodec codec,
			DeliveryRecorder deliveries, TestListenerContainerRegistry registry, TestTurns tests, QueueUses uses) {
		DelayQueueTemplate template = new DelayQueueTemplate(store, codec, TaskEvents.NONE, this.settings::forQueue,
				new QueueSteps(store, codec));
		return new DelayQueueTester(new TestAccess(clock, template, registry, deliveries, codec), testStore, tests,
				this.properties::startTime, uses);
	}

}
