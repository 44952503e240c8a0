package io.github.delayqueue.test.shop;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import io.github.delayqueue.producer.DelayQueueOperations;

import static org.awaitility.Awaitility.await;

@EnabledIf(value = "io.github.delayqueue.testsupport.RedisImage#isThere",
		disabledReason = "no Docker engine, or no redis-server on the PATH to make an image of")
@SpringBootTest
@Testcontainers(disabledWithoutDocker = true)
class OrdersInContainerIntegrationTests {

	@Container
	@ServiceConnection(name = "redis")
	static final GenericContainer<?> REDIS = new GenericContainer<>(Images.REDIS).withExposedPorts(6379)
		.waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1));

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private Orders orders;

	@Test
	void orderThatNobodyPaysIsClosed() {
		this.orders.place(new Order("order_123", "book"));
		this.delayQueue.reschedule("order_timeout", "order_123", Duration.ofMillis(100));
		await().until(() -> this.orders.isClosed("order_123"));
	}

}
