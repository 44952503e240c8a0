package io.github.delayqueue.config;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application's own work runs on the same threads with the delay queue as without,
 * whatever pools it has.
 */
class ThreadsOfTheApplicationTests {

	private static final ApplicationContextRunner PLAIN = new ApplicationContextRunner()
		.withUserConfiguration(Work.class)
		.withBean(RedisConnectionFactory.class, Connections::toNobody);

	private static final ApplicationContextRunner BOOT = PLAIN.withConfiguration(
			AutoConfigurations.of(TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class));

	@ParameterizedTest(name = "{0}")
	@MethodSource("pools")
	void areTheSameWithTheDelayQueue(String pools, ApplicationContextRunner application) {
		List<String> without = threads(application);
		assertThat(threads(application.withUserConfiguration(Enabled.class))).isEqualTo(without);
	}

	static List<Object[]> pools() {
		List<Object[]> pools = new ArrayList<>();
		for (ApplicationContextRunner base : List.of(PLAIN, BOOT)) {
			String name = (base == BOOT) ? "Boot, " : "plain Spring, ";
			pools.add(new Object[] { name + "none", base });
			pools.add(new Object[] { name + "an ExecutorService", base.withUserConfiguration(OneService.class) });
			pools.add(new Object[] { name + "a ForkJoinPool", base.withUserConfiguration(OneForkJoinPool.class) });
			pools.add(new Object[] { name + "a ScheduledExecutorService",
					base.withUserConfiguration(OneScheduledService.class) });
			pools.add(new Object[] { name + "a TaskExecutor", base.withUserConfiguration(OneTaskExecutor.class) });
			pools.add(new Object[] { name + "two TaskExecutors",
					base.withUserConfiguration(OneTaskExecutor.class, OtherTaskExecutor.class) });
			pools.add(new Object[] { name + "a TaskScheduler", base.withUserConfiguration(OneTaskScheduler.class) });
			pools.add(new Object[] { name + "a TaskScheduler and an ExecutorService",
					base.withUserConfiguration(OneTaskScheduler.class, OneService.class) });
		}
		pools.add(new Object[] { "Boot, virtual threads",
				BOOT.withPropertyValues("spring.threads.virtual.enabled=true") });
		return pools;
	}

	@Test
	void noBeanIsOneThatSpringLooksForToRunSomething() {
		PLAIN.withUserConfiguration(Enabled.class)
			.run((context) -> assertThat(context).doesNotHaveBean(Executor.class).doesNotHaveBean(TaskScheduler.class));
	}

	/**
	 * Names without numbers, of the threads of an asynchronous and a scheduled method.
	 */
	private static List<String> threads(ApplicationContextRunner application) {
		List<String> names = new ArrayList<>();
		application.run((context) -> {
			assertThat(context).hasNotFailed();
			Tasks tasks = context.getBean(Tasks.class);
			tasks.later();
			for (CompletableFuture<String> name : tasks.names()) {
				assertThat(name).succeedsWithin(Patience.LIMIT);
				names.add(name.join().replaceAll("[0-9]+", "#"));
			}
		});
		return names;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDelayQueue
	static class Enabled {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableScheduling
	static class Work {

		@Bean
		Tasks tasks() {
			return new Tasks();
		}

	}

	static class Tasks {

		private final CompletableFuture<String> asynchronous = new CompletableFuture<>();

		private final CompletableFuture<String> scheduled = new CompletableFuture<>();

		/** Not fields, which a proxy has, too. */
		List<CompletableFuture<String>> names() {
			return List.of(this.asynchronous, this.scheduled);
		}

		@Async
		void later() {
			this.asynchronous.complete(Thread.currentThread().getName());
		}

		/**
		 * Once in a test. Not for ever: a pool compares times, and what is near the
		 * largest number hides what was submitted just before.
		 */
		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
		void now() {
			this.scheduled.complete(Thread.currentThread().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneService {

		@Bean
		ExecutorService applicationPool() {
			return Executors.newFixedThreadPool(2, (task) -> new Thread(task, "application-service"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneForkJoinPool {

		@Bean
		ForkJoinPool applicationPool() {
			return new ForkJoinPool(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneScheduledService {

		@Bean
		ScheduledExecutorService applicationPool() {
			return Executors.newScheduledThreadPool(2, (task) -> new Thread(task, "application-scheduled"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneTaskExecutor {

		@Bean
		TaskExecutor applicationExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix("application-executor-");
			return executor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherTaskExecutor {

		@Bean
		TaskExecutor otherExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix("other-executor-");
			return executor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneTaskScheduler {

		@Bean
		ThreadPoolTaskScheduler applicationScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setThreadNamePrefix("application-scheduler-");
			return scheduler;
		}

	}

}
