package io.github.delayqueue.listener;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.testsupport.Driver;

/**
 * An application of its own that consumes a queue and writes what it handles to a file, a
 * line at the start and a line at the end of each handling. Ends properly when it is
 * asked to (SIGTERM).
 */
final class ConsumerProcess {

	/** Written to the file as soon as it consumes. */
	static final String READY = "READY";

	static final int CONCURRENCY = 16;

	static final Duration TTR = Duration.ofSeconds(4);

	private static final int WARM_UP_TASKS = 500;

	private ConsumerProcess() {
	}

	/**
	 * Run.
	 * @param args host and port of Redis, key prefix, queue, file
	 * @throws IOException if the file cannot be written
	 */
	public static void main(String[] args) throws IOException {
		RedisStores stores = RedisStores
			.on(Driver.LETTUCE.connect(new RedisStandaloneConfiguration(args[0], Integer.parseInt(args[1]))))
			.keyPrefix(args[2]);
		ListenerFixture instance = new ListenerFixture(stores.open());
		FileChannel file = FileChannel.open(Path.of(args[4]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			instance.close();
			stores.close();
		}));
		warmUp(instance);
		Random random = new Random(Path.of(args[4]).getFileName().hashCode());
		instance.register(args[3], (task, context) -> {
			write(file, "S " + task.id() + " " + System.currentTimeMillis());
			LockSupport.parkNanos(random.nextLong(20_000_000, 200_000_000));
			write(file, "E " + task.id() + " " + System.currentTimeMillis());
			return TaskResult.done();
		}, ListenerOptions.builder().concurrency(CONCURRENCY).ttr(TTR).build());
		write(file, READY);
	}

	/**
	 * So that none of two processes has the work to itself while the other loads classes.
	 */
	private static void warmUp(ListenerFixture instance) {
		String queue = "warm-up-" + ProcessHandle.current().pid();
		CountDownLatch left = new CountDownLatch(WARM_UP_TASKS);
		instance.register(queue, (task, context) -> {
			LockSupport.parkNanos(10_000_000);
			left.countDown();
			return TaskResult.done();
		}, ListenerOptions.builder().id(queue).concurrency(CONCURRENCY).build());
		for (int i = 0; i < WARM_UP_TASKS; i++) {
			instance.schedule(queue, "task-" + i, "payload", Duration.ZERO);
		}
		try {
			if (!left.await(1, TimeUnit.MINUTES)) {
				throw new IllegalStateException(left.getCount() + " tasks of the warm-up were not handled");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Interrupted in the warm-up", ex);
		}
		instance.registry().unregister(queue);
	}

	/** In one call of the system, which outlives the process. */
	private static void write(FileChannel file, String line) {
		try {
			file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
