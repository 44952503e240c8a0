package io.github.delayqueue.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * An application with listeners for many queues, until its standard input ends. Asked for
 * {@code threads}, it says how many it has; asked to {@code work}, it schedules a task in
 * each queue and says after how many milliseconds all were handled.
 */
final class QueuesProcess {

	private static final long LIMIT_MILLIS = 30_000;

	private final DelayQueueOperations operations;

	private final List<String> queues;

	private final AtomicInteger handled = new AtomicInteger();

	private QueuesProcess(ConfigurableApplicationContext context, int count) {
		this.operations = context.getBean(DelayQueueOperations.class);
		this.queues = IntStream.range(0, count).mapToObj((i) -> "queue-" + i).toList();
		DelayQueueListenerContainerRegistry registry = context.getBean(DelayQueueListenerContainerRegistry.class);
		this.queues.forEach((queue) -> registry.register(queue, String.class, (task, taskContext) -> {
			this.handled.incrementAndGet();
			return TaskResult.done();
		}, ListenerOptions.builder().build()));
	}

	/**
	 * Run.
	 * @param args host and port of Redis, number of queues
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Configuration.class)
			.web(WebApplicationType.NONE)
			.properties(
					Map.of("spring.main.banner-mode", "off", "logging.level.root", "error", "spring.data.redis.host",
							args[0], "spring.data.redis.port", args[1], "spring.main.log-startup-info", "false"))
			.run();
		QueuesProcess process = new QueuesProcess(context, Integer.parseInt(args[2]));
		System.out.println(ConsumerProcess.READY);
		BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		for (String question = questions.readLine(); question != null; question = questions.readLine()) {
			System.out.println(
					"threads".equals(question) ? ManagementFactory.getThreadMXBean().getThreadCount() : process.work());
		}
		context.close();
		System.exit(0);
	}

	private long work() {
		this.handled.set(0);
		long start = System.currentTimeMillis();
		this.queues.forEach((queue) -> this.operations.schedule(queue, "work", Duration.ZERO));
		boolean complete = Waits.until(start + LIMIT_MILLIS, 1, () -> this.handled.get() == this.queues.size());
		return complete ? System.currentTimeMillis() - start : -1;
	}

	/**
	 * Nothing but what the starter brings.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Configuration {

	}

}
