package io.github.delayqueue.faults;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * A Spring Boot application that schedules tasks, in a JVM of its own, until it is asked
 * to end (SIGTERM).
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
		DelayQueueAutoConfiguration.class })
class ProducerApplication {

	private static final int THREADS = 4;

	private static final long END_MILLIS = 6000;

	/**
	 * Run.
	 * @param args folder of the histories, name of this process, seed, steps a second,
	 * number of this producer and how many there are, then properties
	 */
	public static void main(String[] args) {
		HistoryLog log = HistoryLog.open(Path.of(args[0]), args[1]);
		ChildProcess.watch(log);
		Random seeds = new Random(Long.parseLong(args[2]));
		double rate = Double.parseDouble(args[3]) / THREADS;
		int first = Integer.parseInt(args[4]) * THREADS;
		double all = Double.parseDouble(args[5]) * THREADS;
		// not that of Spring, which would close the connections first
		ConfigurableApplicationContext context = new SpringApplicationBuilder(ProducerApplication.class)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.keep-alive=true", "spring.main.banner-mode=off")
			.run(Arrays.copyOfRange(args, 6, args.length));
		DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
		List<Load> loads = IntStream.range(0, THREADS)
			.mapToObj((i) -> new Load(new LoggedCalls(operations, log, args[1] + "." + i), new Random(seeds.nextLong()),
					rate, (first + i + 0.5) / all))
			.toList();
		List<Thread> threads = loads.stream().map(Thread::new).toList();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			loads.forEach(Load::end);
			threads.forEach(ProducerApplication::join);
			context.close();
		}));
		threads.forEach(Thread::start);
		log.write(ConsumerApplication.READY);
	}

	private static void join(Thread thread) {
		try {
			thread.join(END_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
