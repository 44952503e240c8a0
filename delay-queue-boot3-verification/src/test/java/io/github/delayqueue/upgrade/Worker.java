package io.github.delayqueue.upgrade;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * An application on either Spring Boot, in a JVM of its own: schedules its orders and
 * handles those of both versions, until its input ends or it is killed. Started anew, it
 * goes on with what it does not know to be scheduled.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Worker {

	static final String QUEUE = "orders";

	/** Behind it is the version of Spring Boot. */
	static final String READY = "ready on Spring Boot ";

	/** What is written of a task that was as it had to be. */
	static final String OK = "ok";

	private static final int BATCH = 50;

	private static final int LATEST_MILLIS = 1000;

	/**
	 * Run.
	 * @param args folder, name, number of orders, for how many seconds to schedule them,
	 * then properties
	 */
	public static void main(String[] args) throws IOException, InterruptedException {
		Path handled = Path.of(args[0], args[1] + ".handled");
		Path scheduled = Path.of(args[0], args[1] + ".scheduled");
		boolean old = SpringBootVersion.getVersion().startsWith("3.");
		try (HandledLog log = new HandledLog(handled);
				ConfigurableApplicationContext context = new SpringApplicationBuilder(Worker.class,
						old ? OldListener.class : NewListener.class)
					.web(WebApplicationType.NONE)
					.properties("spring.main.banner-mode=off")
					.initializers((starting) -> starting.getBeanFactory().registerSingleton("handledLog", log))
					.run(Arrays.copyOfRange(args, 4, args.length))) {
			System.out.println(READY + SpringBootVersion.getVersion());
			BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			input.readLine();
			schedule(context.getBean(DelayQueueOperations.class), args[1], old, Integer.parseInt(args[2]),
					Duration.ofSeconds(Integer.parseInt(args[3])), scheduled);
			input.readLine();
		}
	}

	private static void schedule(DelayQueueOperations operations, String name, boolean old, int count,
			Duration duration, Path scheduled) throws IOException, InterruptedException {
		int from = Files.exists(scheduled) ? Files.readAllLines(scheduled).size() * BATCH : 0;
		long pauseNanos = duration.dividedBy(Math.max(1, count / BATCH)).toNanos();
		for (int i = from; i < count; i += BATCH) {
			List<TaskRequest> batch = IntStream.range(i, Math.min(count, i + BATCH))
				.mapToObj((number) -> request(name + "-" + number, number, old))
				.toList();
			if (i / BATCH % 2 == 0) {
				operations.scheduleAll(batch);
			}
			else {
				batch.forEach(operations::schedule);
			}
			Files.writeString(scheduled, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			new CountDownLatch(1).await(pauseNanos, TimeUnit.NANOSECONDS);
		}
	}

	private static TaskRequest request(String id, int number, boolean old) {
		Order order = Order.of(number);
		TaskRequest.Builder request = TaskRequest.queue(QUEUE)
			.id(id)
			.payload(old ? new Order.Old(order, "shop") : new Order.New(order, new Order.Item("card", 1)))
			.delay(Duration.ofMillis(number * 37L % LATEST_MILLIS));
		return ((number % 3 == 0) ? request.header("source", "test") : request).build();
	}

	static class OldListener {

		private final HandledLog log;

		OldListener(HandledLog log) {
			this.log = log;
		}

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<Order.Old> task) throws IOException {
			this.log.write(task, task.payload().order());
		}

	}

	static class NewListener {

		private final HandledLog log;

		NewListener(HandledLog log) {
			this.log = log;
		}

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<Order.New> task) throws IOException {
			this.log.write(task, task.payload().order());
		}

	}

	/**
	 * A line for each task that is handled. It is there, too, when the process is killed.
	 */
	static final class HandledLog implements AutoCloseable {

		private final OutputStream out;

		HandledLog(Path file) throws IOException {
			this.out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}

		void write(DelayedTask<?> task, Order order) throws IOException {
			Instant now = Instant.now();
			Order expected = Order.of(Integer.parseInt(task.id().substring(task.id().lastIndexOf('-') + 1)));
			String verdict = OK;
			if (now.isBefore(task.dueAt())) {
				verdict = "early by " + Duration.between(now, task.dueAt());
			}
			else if (!order.equals(expected)) {
				verdict = "is " + order;
			}
			this.out.write((task.id() + " " + verdict + "\n").getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public void close() throws IOException {
			this.out.close();
		}

	}

}
