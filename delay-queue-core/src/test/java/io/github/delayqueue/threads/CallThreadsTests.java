package io.github.delayqueue.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link CallThreads}.
 */
class CallThreadsTests {

	private volatile boolean onItsThread;

	private final ThreadPoolTaskScheduler timers = scheduler();

	private final List<Runnable> suspects = new ArrayList<>();

	private final CountDownLatch silence = new CountDownLatch(1);

	private final CountDownLatch answered = new CountDownLatch(1);

	private final CountDownLatch answeredAgain = new CountDownLatch(1);

	private final ThreadPoolTaskScheduler own = scheduler();

	private final CallThreads threads = new CallThreads("test-call-", this.own, this.suspects::add, this.timers);

	private static ThreadPoolTaskScheduler scheduler() {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.initialize();
		return scheduler;
	}

	@AfterEach
	void shutdown() {
		this.silence.countDown();
		this.threads.shutdown();
		this.timers.shutdown();
	}

	@Test
	void callIsMadeOnTheThreadItComesOnWhileOthersAreFree() {
		this.own.setPoolSize(2);
		make(this::getNoAnswer, false);
		assertThat(this.onItsThread).isTrue();
	}

	@Test
	void lastThreadIsKeptFreeHoweverManyCallsGetNoAnswer() {
		for (int i = 0; i < 4 * CallThreads.MAX_THREADS; i++) {
			make(this::getNoAnswer, false);
			assertThat(this.onItsThread).isFalse();
		}
	}

	@Test
	void callIsHandedOverThoughNobodyCanLookWhetherItIsStuck() {
		this.timers.shutdown();
		for (int i = 0; i < 4 * CallThreads.USUAL_THREADS; i++) {
			make(this::getNoAnswer, false);
			assertThat(this.onItsThread).isFalse();
		}
	}

	@Test
	void callsBehindThoseThatGetNoAnswerGetThreadsOfTheirOwn() {
		for (int i = 0; i < CallThreads.MAX_THREADS - 1; i++) {
			make(this::getNoAnswer, false);
		}
		make(this.answered::countDown, false);
		await().until(() -> this.answered.getCount() == 0);
		make(this.answeredAgain::countDown, false);
		await().until(() -> this.answeredAgain.getCount() == 0);
	}

	@Test
	void fewThreadsStayOnceCallsAreAnsweredAgainHoweverManyFollow() {
		for (int i = 0; i < CallThreads.MAX_THREADS; i++) {
			make(this::getNoAnswer, false);
		}
		await().until(() -> furtherThreads() > CallThreads.USUAL_THREADS);
		this.silence.countDown();
		await().until(() -> {
			// all threads take turns: none is idle for as long as it may be
			for (int i = 0; i < CallThreads.MAX_THREADS; i++) {
				make(this.answered::countDown, false);
			}
			return furtherThreads() <= CallThreads.USUAL_THREADS;
		});
	}

	/** Make a call on the thread that it comes on, unless it is handed over. */
	private void make(Runnable call, boolean suspect) {
		this.own.submitCompletable(() -> {
			this.onItsThread = !this.threads.handOver(call, suspect);
		}).join();
	}

	private void getNoAnswer() {
		try {
			this.silence.await();
		}
		catch (InterruptedException ex) {
			// the test is over
			Thread.currentThread().interrupt();
		}
	}

	private static long furtherThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("test-call-"))
			.count();
	}

	@Test
	void callThatWillProbablyFailWaitsApart() {
		make(this.answered::countDown, true);
		assertThat(this.answered.getCount()).isEqualTo(1);
		assertThat(this.suspects).hasSize(1);
	}

}
