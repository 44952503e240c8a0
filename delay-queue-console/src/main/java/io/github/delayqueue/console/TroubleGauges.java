package io.github.delayqueue.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.metrics.QueueGauges;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/** The gauges {@code delay.queue.trouble}: each trouble of a queue, 1 or 0. */
record TroubleGauges(TaskStore store, ConsumersCache consumers,
		TroubleRules rules) implements QueueGauges, AopInfrastructureBean {

	/** Those that nobody knows unless it is known who consumes the queue. */
	private static final Set<String> OF_CONSUMERS = Set.of("no-consumer", "unconsumed", "hanging");

	/** Those for which the store is asked once more. */
	private static final Set<String> OF_HISTORY = Set.of("dying", "hanging");

	@Override
	public List<QueueGauge> all() {
		return TroubleRules.CODES.entrySet().stream().map((rule) -> gauge(rule.getKey(), rule.getValue())).toList();
	}

	private QueueGauge gauge(String code, Trouble.Level level) {
		return new QueueGauge("delay.queue.trouble", "Whether the queue is in this trouble: 1 or 0",
				List.of("code", code, "level", level.name().toLowerCase(Locale.ROOT)),
				(queue, stats) -> value(code, queue, stats));
	}

	private double value(String code, String queue, @Nullable QueueStats stats) {
		if (stats == null) {
			return TroubleRules.unreadable("").code().equals(code) ? 1 : 0;
		}
		Consumers known = consumers(code);
		Integer consumers = (known != null) ? known.of(queue) : null;
		if (consumers == null && OF_CONSUMERS.contains(code)) {
			return Double.NaN;
		}
		return this.rules
			.judge(stats, consumers, null, (known != null) ? known.runningIn(queue) : List.of(),
					() -> OF_HISTORY.contains(code) ? QueueView.of(this.store).history(queue) : History.NONE)
			.stream()
			.anyMatch((trouble) -> trouble.code().equals(code)) ? 1 : 0;
	}

	/** {@code null} if it cannot be told, and others can judge without. */
	private @Nullable Consumers consumers(String code) {
		try {
			return this.consumers.get().orElse(null);
		}
		catch (DelayQueueException ex) {
			if (OF_CONSUMERS.contains(code)) {
				throw ex;
			}
			return null;
		}
	}

}
