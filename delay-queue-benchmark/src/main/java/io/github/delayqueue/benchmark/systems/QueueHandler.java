package io.github.delayqueue.benchmark.systems;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * The one listener of an application, which starts when it is told to.
 */
class QueueHandler {

	/** The queue, and the id of its listener. */
	static final String QUEUE = "benchmark";

	private volatile TaskSink sink = (payload) -> {
		throw new IllegalStateException("Nobody consumes");
	};

	void sink(TaskSink sink) {
		this.sink = sink;
	}

	@DelayQueueListener(queue = QUEUE, id = QUEUE, autoStartup = "false")
	void handle(Payload payload) {
		this.sink.handle(payload);
	}

}
