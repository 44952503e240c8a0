package io.github.delayqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads of an application that wait for tasks get what the test schedules, and what
 * becomes due when it turns the clock.
 */
@DelayQueueTest(classes = BlockingPollTests.Claims.class, properties = "delay-queue.listener.poll-interval=1d")
class BlockingPollTests {

	private static final Duration HOUR = Duration.ofHours(1);

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private Claims claims;

	private final ExecutorService threads = Executors.newSingleThreadExecutor();

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	@Test
	void whatBecomesDueWhenTheClockIsTurnedIsReturned() throws Exception {
		this.delayQueue.schedule("mail", "m-1", null, HOUR);
		Future<List<ClaimedTask>> waiting = begin();
		this.clock.advance(HOUR);
		assertThat(result(waiting)).extracting(ClaimedTask::id).containsExactly("m-1");
	}

	@Test
	void waitOfTheTestItselfIsRealAndTurnsNoClock() throws InterruptedException {
		this.delayQueue.schedule("mail", "m-1", null, Duration.ofMillis(10));
		assertThat(this.delayQueue.poll("mail", 1, HOUR, Duration.ofMillis(30))).isEmpty();
		this.clock.advance(Duration.ofMillis(10));
		assertThat(this.delayQueue.poll("mail", 1, HOUR, Duration.ofMillis(30))).hasSize(1);
	}

	private Future<List<ClaimedTask>> begin() throws InterruptedException {
		this.claims.claimed = new CountDownLatch(1);
		Future<List<ClaimedTask>> waiting = this.threads
			.submit(() -> this.delayQueue.poll("mail", 1, HOUR, Duration.ofDays(1)));
		assertThat(this.claims.claimed.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return waiting;
	}

	private static List<ClaimedTask> result(Future<List<ClaimedTask>> waiting) throws Exception {
		return waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
	}

	static class Claims {

		private volatile CountDownLatch claimed = new CountDownLatch(0);

		@Bean
		TaskEventListener claimListener() {
			return new TaskEventListener() {

				@Override
				public void onClaim(String queue, int tasks) {
					Claims.this.claimed.countDown();
				}

			};
		}

	}

}
