package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests of {@link LettuceRecovery} without Sentinels that answer.
 */
class LettuceRecoveryTests {

	private final LettuceConnectionFactory factory = mock(LettuceConnectionFactory.class);

	@Test
	void connectsElsewhereThoughNoSentinelCanBeAskedWhereThePrimaryIs() {
		CountDownLatch recovered = new CountDownLatch(1);
		LettuceRecovery recovery = new LettuceRecovery(this.factory, Duration.ofSeconds(5), () -> {
		}, recovered::countDown);
		RedisClient client = mock(RedisClient.class);
		given(client.connectSentinel()).willThrow(new RedisConnectionException("Cannot connect to a Redis Sentinel"));
		ReflectionTestUtils.setField(recovery, "sentinels",
				new SentinelWatch(client, new RedisURI(), recovery::onSwitch));
		recovery.onSwitch("localhost:1");
		await().until(() -> recovered.getCount() == 0);
		verify(this.factory).resetConnection();
	}

}
