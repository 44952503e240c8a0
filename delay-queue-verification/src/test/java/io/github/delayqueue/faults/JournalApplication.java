package io.github.delayqueue.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.JournalRestoredEvent;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.partition.PartitionedTaskStore;

/**
 * A Spring Boot application whose queue has a journal: it writes orders and schedules
 * their tasks in one transaction, and handles them, in a JVM of its own, until it is
 * killed or asked to end.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
		DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
		JdbcClientAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class,
		DelayQueueAutoConfiguration.class })
class JournalApplication {

	static final String QUEUE = "orders";

	/** When there is a file of this name, nothing more is scheduled. */
	static final String END = "end";

	/** Threads that schedule. */
	static final int THREADS = 3;

	private static final int FIRST_PROPERTY = 5;

	/**
	 * Run.
	 * @param args folder of the histories, name of this process, seed, milliseconds that
	 * its clock adds to the machine's, threads that schedule, then properties
	 */
	public static void main(String[] args) {
		HistoryLog log = HistoryLog.open(Path.of(args[0]), args[1], Duration.ofMillis(Long.parseLong(args[3])));
		ChildProcess.watch(log);
		long seed = Long.parseLong(args[2]) + args[1].hashCode();
		ConfigurableApplicationContext context = new SpringApplicationBuilder(JournalApplication.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.keep-alive=true", "spring.main.banner-mode=off")
			.initializers((starting) -> {
				starting.getBeanFactory().registerSingleton("historyLog", log);
				starting.getBeanFactory().registerSingleton("directory", Path.of(args[0]));
				starting.getBeanFactory().registerSingleton("seed", seed);
			})
			.run(Arrays.copyOfRange(args, FIRST_PROPERTY, args.length));
		TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		Deque<String> recent = new ConcurrentLinkedDeque<>();
		Random seeds = new Random(seed);
		IntStream.range(0, Integer.parseInt(args[4])).forEach((i) -> {
			Thread thread = new Thread(new JournalLoad(context.getBean(DelayQueueOperations.class),
					context.getBean(JdbcClient.class), transaction, log, args[1] + "." + i, recent,
					new Random(seeds.nextLong()), Path.of(args[0]).resolve(END)), "load-" + i);
			thread.setDaemon(true);
			thread.start();
		});
		log.write(ConsumerApplication.READY);
	}

	/**
	 * Puts a store below the journal that ends the process between database and Redis.
	 */
	@Bean
	static BeanPostProcessor haltingJournal(ObjectProvider<PartitionedTaskStore> store, ObjectProvider<Journal> journal,
			HistoryLog log, Path directory, Long seed) {
		return new BeanPostProcessor() {
			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof JournaledTaskStore) ? new JournaledTaskStore(
						new HaltingStore(store.getObject(), log, directory, seed), journal.getObject()) : bean;
			}
		};
	}

	@Bean
	Handlers handlers(HistoryLog log) {
		return new Handlers(log);
	}

	/** What is written down about deliveries. */
	static final class Handlers implements TaskEventListener {

		private final HistoryLog log;

		private final AtomicLong handlings = new AtomicLong();

		Handlers(HistoryLog log) {
			this.log = log;
		}

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<String> task) throws InterruptedException {
			this.log.write("begun", task.id(), task.payload(), task.dueAt().toEpochMilli());
			if (this.handlings.incrementAndGet() % 50 == 0) {
				new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
			}
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			this.log.write("settled", taskId, outcome);
		}

		@EventListener
		void restored(JournalRestoredEvent event) {
			if (event.took().isZero()) {
				this.log.write("found", event.tasks());
			}
			else {
				this.log.write("restored", event.tasks(), event.took().toMillis());
			}
		}

	}

	static List<String> properties(String host, int port, String databaseUrl, String user) {
		return List
			.of("spring.data.redis.host=" + host, "spring.data.redis.port=" + port,
					"spring.datasource.url=" + databaseUrl, "spring.datasource.username=" + user,
					"spring.datasource.hikari.connection-timeout=3000", "delay-queue.journal.enabled=true",
					"delay-queue.journal.initialize-schema=never", "delay-queue.journal.horizon=5s",
					"delay-queue.journal.timeout=2s",
					"delay-queue.listener.lease-duration=" + SuiteSettings.LEASE_DURATION.toMillis(),
					"delay-queue.retry.max-lease-losses=" + SuiteSettings.MAX_LEASE_LOSSES)
			.stream()
			.map((property) -> "--" + property)
			.toList();
	}

}
