package io.github.delayqueue.benchmark.peers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.TaskSink;
import org.jspecify.annotations.Nullable;

/**
 * {@link ScheduledThreadPoolExecutor}: the bound of what is possible without a server,
 * and without keeping anything when the process ends.
 */
final class JvmTimerSystem implements QueueSystem, Producer {

	private final int threads = Runtime.getRuntime().availableProcessors();

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(this.threads);

	private volatile @Nullable TaskSink sink;

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("threads", this.threads + ", one per processor");
		return settings;
	}

	@Override
	public Producer producer() {
		return this;
	}

	@Override
	public void schedule(BenchTask task) {
		this.executor.schedule(() -> run(task), task.delayMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		tasks.forEach(this::schedule);
	}

	private void run(BenchTask task) {
		TaskSink current = this.sink;
		if (current != null) {
			current.handle(task.payload());
		}
	}

	@Override
	public Consumption consume(TaskSink sink) {
		this.sink = sink;
		return () -> this.sink = null;
	}

	@Override
	public void reset() {
		this.executor.getQueue().clear();
	}

	@Override
	public long pending() {
		return this.executor.getQueue().size();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
