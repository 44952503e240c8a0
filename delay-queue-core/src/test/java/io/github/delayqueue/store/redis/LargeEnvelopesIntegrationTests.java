package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That claims read of large envelopes about what they take: the server does nothing else
 * meanwhile.
 */
class LargeEnvelopesIntegrationTests {

	private static final String QUEUE = "documents";

	private static final int LARGE = 1_000_000;

	private static final int CLAIMS = 5;

	/** What is read in vain would cost ten times as much, or more. */
	private static final int MOST = 6;

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = RedisStores
		.on(Connections.start(new LettuceConnectionFactory(Connections.configuration(this.server))));

	private final RedisTaskStore store = this.stores.open();

	private int tasks;

	@BeforeEach
	void logAllCalls() {
		this.store.claim(QUEUE, claimOf(1, 1));
		this.server.cli("CONFIG", "SET", "slowlog-log-slower-than", "0");
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.server.close();
	}

	@Test
	void claimOfManyTasksCostsNoMoreThanTheEnvelopesThatItTakes() {
		schedule(LARGE, TaskPriority.NORMAL, 40);
		long one = least(1, 1);
		assertThat(least(20, 1)).as("one of twenty, in microseconds").isLessThan(MOST * one);
	}

	@Test
	void smallEnvelopesBeforeTheLargeOnesChangeNothingOfThat() {
		schedule(LARGE, TaskPriority.NORMAL, 100);
		long two = least(2, 2 * LARGE);
		List<Long> costs = new ArrayList<>();
		for (int i = 0; i < CLAIMS; i++) {
			schedule(10, TaskPriority.HIGH, 25);
			costs.add(cost(80, ClaimRequest.DEFAULT_MAX_BYTES));
		}
		assertThat(Collections.min(costs)).as("two after 25 small ones, in microseconds").isLessThan(MOST * two);
	}

	@Test
	void claimEndsAfterAMebibyte() {
		schedule(LARGE / 5, TaskPriority.NORMAL, 30);
		ClaimResult result = this.store.claim(QUEUE, claimOf(30, ClaimRequest.DEFAULT_MAX_BYTES));
		assertThat(result.tasks()).hasSize(6);
		assertThat(result.wakeIn()).isEqualTo(Duration.ZERO);
	}

	private void schedule(int bytes, TaskPriority priority, int count) {
		for (int i = 0; i < count; i++) {
			this.store.schedule(QUEUE, List.of(new NewTask("task-" + this.tasks++, new byte[bytes],
					DueTime.in(Duration.ZERO), priority, DuplicatePolicy.REPLACE)));
		}
	}

	/** Of some claims: others may have kept the server's core meanwhile. */
	private long least(int limit, long maxBytes) {
		List<Long> costs = new ArrayList<>();
		for (int i = 0; i < CLAIMS; i++) {
			costs.add(cost(limit, maxBytes));
		}
		return Collections.min(costs);
	}

	/** How long the server took for a claim, in microseconds. */
	private long cost(int limit, long maxBytes) {
		this.server.cli("SLOWLOG", "RESET");
		assertThat(this.store.claim(QUEUE, claimOf(limit, maxBytes)).tasks()).isNotEmpty();
		for (Object entry : (List<?>) Objects.requireNonNull(this.server.cli("SLOWLOG", "GET", "10"))) {
			List<?> fields = (List<?>) entry;
			if (((List<?>) fields.get(3)).get(0).equals("EVALSHA")) {
				return (Long) fields.get(2);
			}
		}
		throw new AssertionError("The claim is not in the log of slow commands");
	}

	private static ClaimRequest claimOf(int limit, long maxBytes) {
		return new ClaimRequest("token", limit, limit, Duration.ofMinutes(5), maxBytes, false, Retention.NONE);
	}

}
