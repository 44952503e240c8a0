package io.github.delayqueue.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/** The detail {@code trouble} of health: what is wrong with queues of this instance. */
record HealthRemarks(TaskStore store, ListenerSwitch listeners,
		TroubleRules rules) implements DelayQueueHealth.Remarks, AopInfrastructureBean {

	@Override
	public Map<String, ?> on(Map<String, QueueStats> figures) {
		QueueConsumers consumers = this.listeners.consumers();
		Map<String, List<String>> troubles = new LinkedHashMap<>();
		figures.forEach((queue, stats) -> {
			List<Trouble> trouble = this.rules.judge(stats, consumers.of(queue), consumers.lastOf(queue),
					consumers.runningIn(queue), () -> QueueView.of(this.store).history(queue));
			if (!trouble.isEmpty()) {
				troubles.put(queue, trouble.stream().map((each) -> each.code() + ": " + each.sentence()).toList());
			}
		});
		return troubles.isEmpty() ? Map.of() : Map.of("trouble", troubles);
	}

}
