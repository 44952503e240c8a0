package io.github.delayqueue.console;

import java.util.List;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.groups.RedisGroups;
import io.github.delayqueue.metrics.QueueGauges;
import io.github.delayqueue.store.TaskStore;

/** The gauges {@code delay.queue.groups}. */
record GroupGauges(TaskStore store) implements QueueGauges, AopInfrastructureBean {

	@Override
	public List<QueueGauge> all() {
		RedisGroups groups = this.store.role(RedisGroups.class);
		return List.of(new QueueGauge("delay.queue.groups", "Groups that have tasks", List.of(),
				(queue, stats) -> (groups != null && groups.has(queue)) ? groups.count(queue) : 0));
	}

}
