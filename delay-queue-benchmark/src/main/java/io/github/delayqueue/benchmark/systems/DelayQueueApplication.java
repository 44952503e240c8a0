package io.github.delayqueue.benchmark.systems;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * An application with one listener, which starts when it is told to.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DelayQueueApplication {

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
