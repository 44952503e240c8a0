package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * When a loader takes what somebody else has written and not handed over.
 */
class LoadingTests {

	private static final String QUEUE = "orders";

	private static final byte[] ENVELOPE = "{}".getBytes(StandardCharsets.UTF_8);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	private final SingleLoading loading = this.fixture.loading(QUEUE);

	@BeforeEach
	void start() {
		this.loading.round();
		pass(Duration.ofSeconds(6));
	}

	@Test
	void taskIsTakenAtOnceWhenItIsDueSoon() {
		write("a", Duration.ofSeconds(24));
		pass(Duration.ofSeconds(4));
		assertThat(isLoaded("a")).as("somebody may be about to hand it over").isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void taskThatComesWithinTheHorizonDoesNotWaitUntilNoOtherIsToBeLookedAt() {
		write("far", JournalFixture.HORIZON.plusMinutes(1));
		write("near", Duration.ZERO);
		List<Boolean> loaded = new ArrayList<>();
		this.fixture.below.after(Step.SCHEDULE, () -> {
			loaded.add(isLoaded("far"));
			if (loaded.size() < 8) {
				toBeLookedAt("near", 0);
			}
		});
		pass(Duration.ofMinutes(1));
		assertThat(loaded).hasSizeGreaterThanOrEqualTo(8);
		assertThat(loaded.get(1)).isTrue();
		assertThat(this.fixture.check(QUEUE, "near")).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void taskThatComesWithinTheHorizonIsNoneThatIsRestored() {
		List<Long> restored = new ArrayList<>();
		SingleLoading loading = loading(restored);
		write("far", JournalFixture.HORIZON.plusMinutes(1));
		this.fixture.clock.advance(Duration.ofMinutes(1));
		loading.round();
		assertThat(isLoaded("far")).isTrue();
		assertThat(restored).isEmpty();
	}

	@Test
	void instanceTakesWhatItCouldNotHandOver() {
		this.fixture.unreachable.set(true);
		for (String id : List.of("a", "b")) {
			schedule(id, Duration.ofMinutes(10));
		}
		this.fixture.unreachable.set(false);
		pass(Duration.ofSeconds(59));
		assertThat(isLoaded("a")).isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(isLoaded("a")).isTrue();
		assertThat(isLoaded("b")).isTrue();
	}

	@Test
	void whatTheStoreRefusesIsTakenAgainInTheNextRound() {
		write("a", Duration.ofSeconds(24));
		this.fixture.clock.advance(Duration.ofSeconds(5));
		this.fixture.below.before(Step.SCHEDULE, () -> {
			throw new StoreUnavailableException(QUEUE, null, "for a test", null);
		});
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.loading::round);
		assertThat(isLoaded("a")).isFalse();
		assertThat(this.fixture.check(QUEUE, "a")).isEqualTo(Duration.ZERO);
	}

	@Test
	void whatCouldNeitherBeHandedOverNorGivenBackIsTakenAgainAsSoonAsTheTableIsThere() {
		write("a", Duration.ofSeconds(24));
		this.fixture.clock.advance(Duration.ofSeconds(5));
		this.fixture.below.before(Step.SCHEDULE, () -> {
			this.fixture.jdbc.sql("ALTER TABLE delay_queue_task RENAME TO away").update();
			throw new StoreUnavailableException(QUEUE, null, "for a test", null);
		});
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.loading::round);
		this.fixture.below.before(Step.SCHEDULE, () -> {
		});
		assertThatException().isThrownBy(this.loading::round);
		assertThat(this.fixture.parts.rechecks().isWanted(QUEUE)).isTrue();
		this.fixture.jdbc.sql("ALTER TABLE away RENAME TO delay_queue_task").update();
		this.loading.round();
		assertThat(this.fixture.parts.rechecks().isWanted(QUEUE)).isFalse();
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void taskThatStaysOverdueIsLookedAtMoreAndMoreRarely() {
		schedule("a", Duration.ZERO);
		for (int seconds : List.of(5, 30, 35, 70, 140, 280, 560, 1120, 2240, 3600, 3600)) {
			assertThat(this.fixture.check(QUEUE, "a")).isEqualTo(Duration.ofSeconds(seconds));
			pass(Duration.ofSeconds(seconds));
		}
	}

	@Test
	void overdueTasksOfWhichThereAreManyDoNotHideOthers() {
		for (int i = 0; i < 1200; i += 100) {
			schedule(Duration.ZERO, names("paused-", i, i + 100));
		}
		for (int minute = 0; minute < 5; minute++) {
			pass(Duration.ofMinutes(1));
		}
		write("behind", Duration.ZERO);
		pass(Duration.ofSeconds(5));
		assertThat(isLoaded("behind")).isTrue();
	}

	@Test
	void deadTaskThatTheStoreKnowsIsNotLookedAtAgainUntilThereIsALoss() {
		schedule("a", Duration.ZERO);
		this.fixture.store.claim(QUEUE, ClaimRequest.of("token", 1, Duration.ofSeconds(30)));
		this.fixture.store.settle(QUEUE, List.of(Endings.deadLetter("a", "token", true, null)));
		assertThat(this.fixture.check(QUEUE, "a").minusMillis(CheckTimes.DIED)).isEqualTo(Duration.ofMinutes(1));
		pass(Duration.ofMinutes(1));
		int calls = this.fixture.below.calls(Step.SCHEDULE);
		for (int day = 0; day < 3; day++) {
			pass(Duration.ofDays(1));
		}
		assertThat(this.fixture.below.calls(Step.SCHEDULE)).isEqualTo(calls);
		this.fixture.memory.clear(QUEUE);
		this.fixture.parts.rechecks().want(QUEUE);
		pass(Duration.ofSeconds(1));
		pass(Duration.ofSeconds(1));
		assertThat(this.fixture.memory.find(QUEUE, "a")).isPresent();
	}

	@Test
	void whatIsRestoredIsCountedAlthoughOtherTasksAreTakenWithIt() {
		List<Long> restored = new ArrayList<>();
		SingleLoading loading = loading(restored);
		schedule("a", Duration.ofMinutes(10));
		schedule("b", Duration.ofMinutes(10));
		pass(Duration.ofMinutes(1));
		this.fixture.memory.clear(QUEUE);
		this.fixture.jdbc.sql("UPDATE delay_queue_epoch SET incarnation = 'lost'").update();
		this.fixture.clock.advance(Duration.ofSeconds(1));
		this.fixture.below.before(Step.SCHEDULE, () -> {
			throw new StoreUnavailableException(QUEUE, null, "for a test", null);
		});
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(loading::round);
		this.fixture.below.before(Step.SCHEDULE, () -> {
		});
		write("other", Duration.ZERO);
		this.fixture.clock.advance(Duration.ofSeconds(5));
		loading.round();
		assertThat(restored).containsExactly(2L);
	}

	@Test
	void resetTakesNoConnectionThatLoadersAreNotToHave() throws InterruptedException {
		CountDownLatch taken = new CountDownLatch(2);
		CountDownLatch free = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			threads.add(new Thread(() -> this.fixture.parts.transactions().loading(QUEUE, () -> {
				taken.countDown();
				return awaitUninterruptibly(free);
			})));
		}
		threads.forEach(Thread::start);
		assertThat(taken.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		Thread reset = new Thread(() -> this.fixture.parts.rechecks().all(QUEUE, () -> {
		}));
		reset.start();
		await().until(() -> !reset.isAlive() || reset.getState() == Thread.State.WAITING);
		assertThat(reset.isAlive()).isTrue();
		free.countDown();
		threads.add(reset);
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private void toBeLookedAt(String id, long range) {
		this.fixture.jdbc.sql("UPDATE delay_queue_task SET check_at = ? WHERE task_id = ?")
			.params(range + this.fixture.clock.millis(), id)
			.update();
	}

	private SingleLoading loading(List<Long> restored) {
		return new SingleLoading(QUEUE, this.fixture.parts, new TaskEvents(List.of(new TaskEventListener() {

			@Override
			public void onRestore(String queue, long tasks, Duration took) {
				restored.add(tasks);
			}

		})));
	}

	private static boolean awaitUninterruptibly(CountDownLatch latch) {
		try {
			return latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void loaderThatIsStoppedTakesNoMoreThanItHasTaken() throws InterruptedException {
		for (int i = 0; i < 600; i += 100) {
			write(Duration.ZERO, names("a-", i, i + 100));
		}
		this.fixture.clock.advance(Duration.ofSeconds(5));
		JournalLoader loader = new JournalLoader(this.fixture.store, TaskEvents.NONE);
		Thread stop = new Thread(loader::stop);
		this.fixture.below.before(Step.SCHEDULE, () -> {
			if (stop.getState() == Thread.State.NEW) {
				stop.start();
				await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
			}
		});
		assertThat(this.fixture.store.isJournaled(QUEUE)).isTrue();
		loader.start();
		await().until(() -> stop.getState() == Thread.State.TERMINATED);
		assertThat(this.fixture.memory.stats(QUEUE).waiting()).isEqualTo(500);
	}

	@Test
	void everythingIsLookedAtAgainOnceAlthoughOthersHandItOverMeanwhile() {
		for (int i = 0; i < 20; i++) {
			schedule("a-" + i, Duration.ofMinutes(10));
		}
		pass(Duration.ofMinutes(1));
		Rechecks rechecks = this.fixture.parts.rechecks();
		SingleLoading other = new SingleLoading(QUEUE, this.fixture.instance().parts(), TaskEvents.NONE);
		int calls = this.fixture.below.calls(Step.SCHEDULE);
		rechecks.all(QUEUE, () -> {
		});
		other.round();
		assertThat(this.fixture.below.calls(Step.SCHEDULE)).isEqualTo(calls + 1);
	}

	private void schedule(String id, Duration delay) {
		schedule(delay, Stream.of(id));
	}

	private void schedule(Duration delay, Stream<String> ids) {
		this.fixture.store.schedule(QUEUE,
				ids.map((id) -> new NewTask(id, ENVELOPE, DueTime.in(delay), TaskPriority.NORMAL, Replacement.REPLACE))
					.toList());
	}

	private void write(String id, Duration delay) {
		write(delay, Stream.of(id));
	}

	/** As another instance does that dies then. */
	private void write(Duration delay, Stream<String> ids) {
		long due = this.fixture.clock.instant().plus(delay).toEpochMilli();
		List<Arrival> entries = ids.map(
				(id) -> JournalTableFixture.arrival(id, ENVELOPE, due, TaskPriority.NORMAL, Replacement.REPLACE, false))
			.toList();
		this.fixture.transaction.executeWithoutResult((status) -> this.fixture.parts.table().write(QUEUE, entries, -1));
	}

	private static Stream<String> names(String prefix, int from, int to) {
		return IntStream.range(from, to).mapToObj((i) -> prefix + i);
	}

	private void pass(Duration time) {
		this.fixture.clock.advance(time);
		this.loading.round();
	}

	private boolean isLoaded(String id) {
		return this.fixture.memory.find(QUEUE, id).isPresent();
	}

}
