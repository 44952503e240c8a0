package io.github.delayqueue.faults;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;

/**
 * Writes down which settlements the store has confirmed.
 *
 * @param log where to
 */
public record SettlementLog(HistoryLog log) implements TaskEventListener {

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		this.log.write("settled", queue, taskId, outcome, (failure != null) ? failure.reason() : null);
	}

}
