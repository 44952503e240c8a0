package io.github.delayqueue.migration;

import java.util.function.ToLongFunction;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

/**
 * The queues that entries are moved to. Public for wiring. Thread-safe.
 *
 * @param maxPayloadBytes how large a payload may be, as JSON, by queue
 */
public record Destination(DelayQueueOperations operations, TaskCodec codec,
		ToLongFunction<String> maxPayloadBytes) implements AopInfrastructureBean {

	/** Makes sure that a task can be written, before its entry is taken. */
	void check(TaskRequest task) {
		this.codec.writeEnvelope(task.queue(), String.valueOf(task.id()), task.toPayload(), task.headers(),
				task.options(), this.maxPayloadBytes.applyAsLong(task.queue()));
	}

}
