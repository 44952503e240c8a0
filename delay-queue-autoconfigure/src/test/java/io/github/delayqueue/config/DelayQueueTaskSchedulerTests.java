package io.github.delayqueue.config;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the scheduler of {@link DelayQueueConfiguration}.
 */
class DelayQueueTaskSchedulerTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Enabled.class)
		.withBean(LettuceConnectionFactory.class);

	@Test
	void isInjectedByNameOnly() {
		this.contextRunner.withUserConfiguration(Consumer.class).run((context) -> {
			assertThat(context).hasBean("delayQueueTaskScheduler");
			assertThat(context.getBean(Consumer.class).scheduler.getIfAvailable()).isNull();
		});
	}

	@Test
	void isSetUpForShortLivedTimers() {
		this.contextRunner.run((context) -> {
			ThreadPoolTaskScheduler scheduler = scheduler(context.getBean("delayQueueTaskScheduler"));
			assertThat(scheduler.getThreadNamePrefix()).isEqualTo("delay-queue-");
			assertThat(scheduler.getScheduledThreadPoolExecutor().getRemoveOnCancelPolicy()).isTrue();
		});
	}

	@Test
	void stopsAfterTheContainers() {
		this.contextRunner.run((context) -> assertThat(scheduler(context.getBean("delayQueueTaskScheduler")).getPhase())
			.isLessThan(context.getBean(DefaultListenerContainerRegistry.class).getPhase()));
	}

	@Test
	void acceptsTasksWhileTheContextCloses() {
		this.contextRunner.run((context) -> {
			ThreadPoolTaskScheduler scheduler = scheduler(context.getBean("delayQueueTaskScheduler"));
			scheduler.onApplicationEvent(new ContextClosedEvent(context.getSourceApplicationContext()));
			assertThat(scheduler.submit(() -> "ran")).succeedsWithin(Patience.LIMIT).isEqualTo("ran");
		});
	}

	@Test
	void backsOffForOneOfThatName() {
		this.contextRunner.withUserConfiguration(OwnScheduler.class)
			.run((context) -> assertThat(scheduler(context.getBean("delayQueueTaskScheduler")).getThreadNamePrefix())
				.isEqualTo("mine-"));
	}

	private static ThreadPoolTaskScheduler scheduler(Object bean) {
		assertThat(bean).isInstanceOf(ThreadPoolTaskScheduler.class);
		return (ThreadPoolTaskScheduler) bean;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	static class Consumer {

		private final ObjectProvider<TaskScheduler> scheduler;

		Consumer(ObjectProvider<TaskScheduler> scheduler) {
			this.scheduler = scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnScheduler {

		@Bean(defaultCandidate = false)
		ThreadPoolTaskScheduler delayQueueTaskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setThreadNamePrefix("mine-");
			return scheduler;
		}

	}

}
