package io.github.delayqueue.test;

import java.time.Clock;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * What questions about a test's queues are answered with.
 *
 * @param clock what time it is
 * @param operations looks into queues
 * @param registry who consumes them
 * @param deliveries what has been delivered
 * @param json compares payloads
 */
record TestAccess(Clock clock, DelayQueueOperations operations, DelayQueueListenerContainerRegistry registry,
		Deliveries deliveries, PayloadJson json) {

}
