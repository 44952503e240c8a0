package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.List;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Producer;

/**
 * Schedules executions of a task of db-scheduler.
 */
final class DbSchedulerProducer implements Producer {

	static final int CHUNK = 1000;

	private final SchedulerClient client;

	private final OneTimeTask<Payload> task;

	DbSchedulerProducer(SchedulerClient client, OneTimeTask<Payload> task) {
		this.client = client;
		this.task = task;
	}

	@Override
	public void schedule(BenchTask task) {
		this.client.scheduleIfNotExists(instance(task));
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		for (List<BenchTask> chunk : Chunks.of(tasks, CHUNK)) {
			List<SchedulableInstance<?>> instances = new ArrayList<>(chunk.size());
			chunk.forEach((task) -> instances.add(instance(task)));
			this.client.scheduleBatch(instances);
		}
	}

	private SchedulableInstance<Payload> instance(BenchTask task) {
		return SchedulableInstance.of(this.task.instance(task.id(), task.payload()), task.dueAt());
	}

}
