package io.github.delayqueue.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * A Spring Boot application that schedules and handles tasks of two queues, in a JVM of
 * its own. Tasks of one of them are accepted once all replicas have them.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class })
class NetworkApplication {

	static final String ORDERS = "orders";

	/** What all replicas have is not lost. */
	static final String PAID = "paid";

	static final List<String> QUEUES = List.of(ORDERS, PAID);

	/** When there is a file of this name, nothing more is scheduled. */
	static final String END = "end";

	private static final int FIRST_PROPERTY = 4;

	private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

	/**
	 * Run.
	 * @param args folder of the histories, name of this process, milliseconds that its
	 * clock adds to the machine's, whether it counts tasks as accepted before the answer,
	 * then properties
	 */
	public static void main(String[] args) {
		Path directory = Path.of(args[0]);
		HistoryLog log = HistoryLog.open(directory, args[1], Duration.ofMillis(Long.parseLong(args[2])));
		ChildProcess.watch(log);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(NetworkApplication.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.keep-alive=true", "spring.main.banner-mode=off")
			.initializers((starting) -> starting.getBeanFactory().registerSingleton("historyLog", log))
			.run(Arrays.copyOfRange(args, FIRST_PROPERTY, args.length));
		DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
		boolean early = Boolean.parseBoolean(args[3]);
		for (String queue : QUEUES) {
			Thread thread = new Thread(() -> {
				for (int i = 0; !Files.exists(directory.resolve(END)); i++) {
					schedule(operations, queue, queue + "-" + args[1] + "-" + i, (i % 4 == 0) ? 5000 : 100, early, log);
					LockSupport.parkNanos(STEP_NANOS);
				}
				log.write("ended");
			}, "load");
			thread.setDaemon(true);
			thread.start();
		}
		log.write(ConsumerApplication.READY);
	}

	/** Every fourth waits for longer than a fail-over takes. */
	private static void schedule(DelayQueueOperations operations, String queue, String id, long delayMillis,
			boolean early, HistoryLog log) {
		log.write("send", id, log.now() + delayMillis);
		if (early) {
			log.write("sent", id);
		}
		try {
			operations.schedule(queue, id, id, Duration.ofMillis(delayMillis));
			log.write("sent", id);
		}
		catch (RuntimeException ex) {
			log.write("failed", id, ex.toString());
		}
	}

	@Bean
	Handlers handlers(HistoryLog log) {
		return new Handlers(log);
	}

	/** One task in ten takes its time, so that there are leases. */
	record Handlers(HistoryLog log) {

		@DelayQueueListener(queue = ORDERS)
		void order(DelayedTask<String> task) {
			handle(task);
		}

		@DelayQueueListener(queue = PAID)
		void paid(DelayedTask<String> task) {
			handle(task);
		}

		private void handle(DelayedTask<String> task) {
			this.log.write("begun", task.id(), task.leasesLost());
			if (task.id().endsWith("5")) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
			}
		}

	}

}
