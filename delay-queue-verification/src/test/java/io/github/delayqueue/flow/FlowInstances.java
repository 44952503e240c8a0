package io.github.delayqueue.flow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.awaitility.Awaitility.await;

/**
 * Several processes of {@link FlowApplication} on a Redis of their own, and one who
 * schedules for them.
 */
final class FlowInstances implements AutoCloseable {

	private static final int WARM_UP_TASKS = 600;

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = RedisStores.on(this.server);

	private final RedisTaskStore store = this.stores.open();

	private final ListenerFixture producer = new ListenerFixture(this.store);

	private final List<ChildJvm> processes = new ArrayList<>();

	private final List<Path> files = new ArrayList<>();

	private final Path directory;

	FlowInstances(Path directory) {
		this.directory = directory;
	}

	/**
	 * Start instances and wait until all of them consume and are warm. They have to come
	 * back by themselves: until they would poll takes longer than any test waits, as does
	 * a lease.
	 * @param count how many
	 * @param handlerMillis how long a handling takes
	 * @param properties of the applications, without {@code delay-queue.}
	 */
	void start(int count, int handlerMillis, String... properties) {
		for (int i = 0; i < count; i++) {
			start(handlerMillis, properties);
		}
		await().atMost(Patience.LIMIT.multipliedBy(count))
			.until(() -> lines().filter((line) -> line.startsWith(FlowApplication.READY)).count() == count);
		schedule(FlowApplication.WARM_UP_QUEUE, WARM_UP_TASKS, DueTime.in(Duration.ZERO));
		await().until(() -> this.store.stats(FlowApplication.WARM_UP_QUEUE).totals().completed() == WARM_UP_TASKS);
	}

	private void start(int handlerMillis, String... properties) {
		Path file = this.directory.resolve("instance-" + this.files.size());
		List<String> arguments = new ArrayList<>(List.of(file.toString(), String.valueOf(handlerMillis),
				"--spring.data.redis.host=" + this.server.host(), "--spring.data.redis.port=" + this.server.port(),
				"--delay-queue.listener.poll-interval=10m", "--delay-queue.listener.ttr=10m"));
		Stream.of(properties).map("--delay-queue."::concat).forEach(arguments::add);
		this.processes
			.add(ChildJvm.of(FlowApplication.class, arguments.toArray(String[]::new)).start(Path.of(file + ".log")));
		this.files.add(file);
	}

	/**
	 * Schedule tasks, all due at the same time.
	 * @param count how many
	 * @param due when
	 */
	void schedule(int count, DueTime due) {
		schedule(FlowApplication.QUEUE, count, due);
	}

	private void schedule(String queue, int count, DueTime due) {
		List<NewTask> tasks = IntStream.range(0, count)
			.mapToObj((i) -> this.producer.task(queue, "task-" + i, "payload", due, TaskOptions.NONE))
			.toList();
		for (int from = 0; from < count; from += TaskStore.MAX_BATCH) {
			this.store.schedule(queue, tasks.subList(from, Math.min(count, from + TaskStore.MAX_BATCH)));
		}
	}

	RedisTaskStore store() {
		return this.store;
	}

	/** By the clock of Redis. */
	Instant time() {
		return this.server.time();
	}

	/** From now on no handling ends, until {@link #release()}. */
	void hold() {
		try {
			Files.createFile(this.directory.resolve(FlowApplication.HOLD));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void release() {
		try {
			Files.delete(this.directory.resolve(FlowApplication.HOLD));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Calls of a command of Redis since it was started.
	 * @param command its name in lower case
	 * @return how many
	 */
	long calls(String command) {
		return this.server.calls(command);
	}

	/**
	 * Everything that the instances have written.
	 * @return lines of all of them
	 */
	Stream<String> lines() {
		return this.files.stream().flatMap((file) -> lines(file).stream());
	}

	/**
	 * How many handlings each instance has started.
	 * @return a number for each
	 */
	List<Long> shares() {
		return this.files.stream()
			.map((file) -> lines(file).stream().filter((line) -> line.startsWith("S ")).count())
			.toList();
	}

	private static List<String> lines(Path file) {
		try {
			return Files.exists(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.processes.forEach(ChildJvm::close);
		this.producer.close();
		this.stores.close();
		this.server.close();
	}

}
