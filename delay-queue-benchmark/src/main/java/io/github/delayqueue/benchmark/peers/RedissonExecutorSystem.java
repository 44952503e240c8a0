package io.github.delayqueue.benchmark.peers;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RScheduledExecutorService;
import org.redisson.api.RedissonClient;
import org.redisson.api.WorkerOptions;
import org.redisson.config.Config;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * {@code RScheduledExecutorService} of Redisson, what its authors advise instead of
 * {@code RDelayedQueue}: it keeps a task until it has run, and repeats it if its worker
 * disappears. There is no call for many tasks, and none that tells without waiting that a
 * task was accepted.
 */
final class RedissonExecutorSystem implements QueueSystem, Producer {

	private static final int WORKERS = 16;

	private final RedissonClient client;

	private final RScheduledExecutorService executor;

	RedissonExecutorSystem(Servers servers) {
		Config config = new Config();
		config.useSingleServer().setAddress(servers.redis());
		this.client = Redisson.create(config);
		this.executor = this.client.getExecutorService("redisson");
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("client", "Redisson " + Redisson.class.getPackage().getImplementationVersion());
		settings.put("codec", "its default, with the JSON as a field");
		settings.put("workers", String.valueOf(WORKERS));
		return settings;
	}

	@Override
	public Producer producer() {
		return this;
	}

	@Override
	public void schedule(BenchTask task) {
		this.executor.schedule(new Task(Payloads.toJsonText(task.payload())), task.delayMillis(),
				TimeUnit.MILLISECONDS);
	}

	@Override
	public Consumption consume(TaskSink sink) {
		Handler.sink = sink;
		this.executor.registerWorkers(WorkerOptions.defaults().workers(WORKERS));
		return this.executor::deregisterWorkers;
	}

	@Override
	public void reset() {
		this.client.getKeys().flushdb();
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(this.executor.getTaskCount());
	}

	@Override
	public void close() {
		this.client.shutdown(0, 2, TimeUnit.SECONDS);
	}

	/** Workers make classes of tasks anew, but not those that these use. */
	public static final class Handler {

		private static volatile TaskSink sink = (payload) -> {
			throw new IllegalStateException("Nobody consumes");
		};

		private Handler() {
		}

		public static void handle(String json) {
			Payload payload = Payloads.fromJson(json);
			sink.handle(payload);
		}

	}

	/**
	 * What is serialized.
	 */
	public static final class Task implements Runnable, Serializable {

		private static final long serialVersionUID = 1;

		private final String json;

		public Task(String json) {
			this.json = json;
		}

		@Override
		public void run() {
			Handler.handle(this.json);
		}

	}

}
