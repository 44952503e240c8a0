package io.github.delayqueue.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.testsupport.Driver;

/**
 * An application of its own that consumes a queue and writes what it handles to a file, a
 * line at the start of each handling. Ends properly when it is asked to (SIGTERM).
 */
final class ConsumerProcess {

	/** Written to the file as soon as it consumes. */
	static final String READY = "READY";

	/** Before the id of a task whose handling begins. */
	static final String STARTED = "S ";

	/** No handling ends while a file of this name is beside the other one. */
	static final String HOLD = "hold";

	private ConsumerProcess() {
	}

	/**
	 * Run.
	 * @param args host and port of Redis, or the name of a primary and its Sentinels, key
	 * prefix, queue, file, lease duration, and how many tasks it handles at a time
	 * @throws IOException if the file cannot be written
	 */
	public static void main(String[] args) throws IOException {
		RedisStores stores = DriverStores.on(Driver.LETTUCE
			.connect(args[1].contains(":") ? new RedisSentinelConfiguration(args[0], Set.of(args[1].split(",")))
					: new RedisStandaloneConfiguration(args[0], Integer.parseInt(args[1]))))
			.keyPrefix(args[2]);
		ListenerFixture instance = Instances.open(stores.open());
		FileChannel file = FileChannel.open(Path.of(args[4]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			instance.close();
			stores.close();
		}));
		Path hold = Path.of(args[4]).resolveSibling(HOLD);
		Random random = new Random(Path.of(args[4]).getFileName().hashCode());
		instance.register(args[3], (task, context) -> {
			write(file, STARTED + task.id());
			while (Files.exists(hold)) {
				LockSupport.parkNanos(5_000_000);
			}
			LockSupport.parkNanos(random.nextLong(20_000_000, 200_000_000));
			return TaskResult.done();
		}, ListenerOptions.builder()
			.concurrency(Integer.parseInt(args[6]))
			.leaseDuration(Duration.parse(args[5]))
			.build());
		write(file, READY);
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
