package io.github.delayqueue.flow;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;

/**
 * A Spring Boot application that consumes, in a JVM of its own, and writes to a file when
 * each handling started and ended: {@code S} or {@code E}, microseconds since the epoch,
 * id. No handling ends while a file called {@value #HOLD} is beside that file. It ends
 * when its standard input does.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class })
class FlowApplication {

	static final String QUEUE = "work";

	static final String WARM_UP_QUEUE = "warm-up";

	/** Written as soon as it consumes. */
	static final String READY = "READY";

	static final String HOLD = "hold";

	/**
	 * Run.
	 * @param args file, how many milliseconds a handling takes, then properties
	 * @throws IOException if the file cannot be written
	 */
	public static void main(String[] args) throws IOException {
		Handler handler = new Handler(new FileOutputStream(args[0], true), Path.of(args[0]).resolveSibling(HOLD),
				Long.parseLong(args[1]));
		new SpringApplicationBuilder(FlowApplication.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.initializers((context) -> context.getBeanFactory().registerSingleton("handlerOfTheTest", handler))
			.run(Arrays.copyOfRange(args, 2, args.length));
		handler.write(READY, "");
		while (System.in.read() >= 0) {
			// nothing is sent
		}
		System.exit(0);
	}

	@Bean
	Listener listener(Handler handler) {
		return new Listener(handler);
	}

	static class Listener {

		private final Handler handler;

		Listener(Handler handler) {
			this.handler = handler;
		}

		@DelayQueueListener(queue = QUEUE)
		void handle(DelayedTask<String> task) throws IOException {
			this.handler.handle(task.id());
		}

		/** So that no process is still loading classes when it matters. */
		@DelayQueueListener(queue = WARM_UP_QUEUE)
		void warmUp(DelayedTask<String> task) throws IOException {
			this.handler.write("W", task.id());
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}

	}

	static class Handler {

		private final FileOutputStream file;

		private final Path hold;

		private final long millis;

		Handler(FileOutputStream file, Path hold, long millis) {
			this.file = file;
			this.hold = hold;
			this.millis = millis;
		}

		void handle(String id) throws IOException {
			write("S", id);
			long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(this.millis);
			while (end - System.nanoTime() > 0) {
				LockSupport.parkNanos(end - System.nanoTime());
			}
			while (Files.exists(this.hold)) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			}
			write("E", id);
		}

		/** In one call of the system. */
		void write(String what, String id) throws IOException {
			long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
			this.file.write((what + " " + micros + " " + id + "\n").getBytes(StandardCharsets.UTF_8));
		}

	}

}
