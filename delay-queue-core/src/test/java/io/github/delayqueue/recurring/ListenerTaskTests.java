package io.github.delayqueue.recurring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.Delivery;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.ManualTimer.Timer;
import io.github.delayqueue.listener.ManualTimer;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The recurring task that a listener has of its own.
 */
@Execution(ExecutionMode.CONCURRENT)
class ListenerTaskTests {

	private static final String QUEUE = "digest";

	private static final String ID = "digest.send";

	private static final Recurrence HOURLY = Recurrence.every(Duration.ofHours(1));

	/** Half a day from now: a test that is run at that time would see another run. */
	private static final Recurrence DAILY = Recurrence
		.cron("0 0 " + LocalTime.now(ZoneOffset.UTC).plusHours(12).getHour() + " * * *", "UTC");

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final ListenerTasks tasks = new ListenerTasks();

	@AutoClose
	private final ListenerFixture instance = open(this.tasks);

	private final Queue<Object> payloads = new ConcurrentLinkedQueue<>();

	private ListenerFixture open(ListenerTasks tasks) {
		return new ListenerFixture(this.store, ListenerFixture.defaults(), ListenerFixture.threads(), List.of(tasks));
	}

	@Test
	void isScheduledForItsNextTimeWhenTheContainerStarts() {
		Instant before = Instant.now();
		register(this.instance, HOURLY);
		StoredTask task = awaitTask();
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isBetween(before.plusMillis(3_599_999), Instant.now().plusMillis(3_600_001));
		Envelope envelope = this.instance.codec().readEnvelope(task.envelope());
		assertThat(envelope.payloadJson()).isNull();
		assertThat(envelope.options().recurrence()).isEqualTo(HOURLY.from(task.dueAt()));
	}

	@Test
	void isLeftAsItIsByOtherInstancesAndOtherStarts() {
		register(this.instance, HOURLY);
		StoredTask first = awaitTask();
		try (ListenerFixture second = open(new ListenerTasks())) {
			int looks = this.store.calls(Step.FIND);
			register(second, Recurrence.every(Duration.ofMinutes(60)));
			await().until(() -> this.store.calls(Step.FIND) > looks);
			this.instance.registry().get(ID).stop();
			this.instance.registry().get(ID).start();
			this.tasks.register((id) -> true);
			assertThat(found().dueAt()).isEqualTo(first.dueAt());
		}
		assertThat(QueueView.of(this.store).stats(QUEUE).totals().replaced()).isZero();
	}

	@Test
	void isReplacedWhereItsRecurrenceHasBeenChanged() {
		register(this.instance, HOURLY);
		awaitTask();
		try (ListenerFixture second = open(new ListenerTasks())) {
			register(second, DAILY);
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().replaced() == 1);
		}
		assertThat(this.instance.codec().readEnvelope(found().envelope()).options().recurrence()).isEqualTo(DAILY);
	}

	@Test
	void whoseRunIsOverdueWhenItIsReplacedIsRunAllTheSame() {
		Instant due = scheduled(DAILY, Instant.now());
		Recurrence changed = Recurrence.every(Duration.ofHours(3));
		QueueControl.of(this.store).setPaused(QUEUE, true);
		register(this.instance, changed);
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().replaced() == 1);
		assertThat(found().dueAt()).isBeforeOrEqualTo(Instant.now());
		QueueControl.of(this.store).setPaused(QUEUE, false);
		await().until(() -> this.payloads.contains(ID));
		await().until(() -> found().state() == TaskState.SCHEDULED);
		assertThat(recurrenceOfTheTask()).isEqualTo(changed.from(due));
		assertThat(found().dueAt()).as("the grid is counted from it").isEqualTo(due.plusSeconds(3 * 3600));
	}

	@Test
	void whoseRunIsOverdueForSoLongThatTheNewTimesSkipItIsNotRun() {
		Instant due = scheduled(DAILY, Instant.now());
		QueueControl.of(this.store).setPaused(QUEUE, true);
		await().until(() -> Instant.now().isAfter(due.plusSeconds(1)));
		register(this.instance, Recurrence.every(Duration.ofSeconds(1)).onMissed(Recurrence.OnMissed.SKIP));
		await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().replaced() == 1);
		assertThat(found().dueAt()).isAfter(due.plusSeconds(2));
	}

	@Test
	void whoseRunIsUnderWayIsReplacedWhenThatHasEnded() {
		scheduled(DAILY, Instant.now());
		claim("t");
		int looks = this.store.calls(Step.FIND);
		register(this.instance, HOURLY);
		await().until(() -> this.store.calls(Step.FIND) > looks + 1);
		assertThat(recurrenceOfTheTask()).isEqualTo(DAILY);
		assertThat(this.store.settle(QUEUE, List.of(Endings.retry(ID, "t", Duration.ofHours(1), null))))
			.containsExactly(true);
		int later = this.store.calls(Step.FIND);
		await().until(() -> this.store.calls(Step.FIND) > later);
		assertThat(found().failures()).as("a retry").isOne();
		assertThat(recurrenceOfTheTask()).isEqualTo(DAILY);
		this.store.reschedule(QUEUE, ID, DueTime.in(Duration.ZERO));
		await().until(() -> HOURLY.isLike(recurrenceOfTheTask()));
		assertThat(this.payloads).containsExactly(ID);
	}

	@Test
	void takesThePlaceOfACompletedTaskOfItsId() {
		this.store.schedule(QUEUE, List.of(new NewTask(ID, envelope(TaskOptions.NONE), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.REPLACE)));
		claim("t");
		this.store.settle(QUEUE, List.of(Endings.complete(ID, "t", true)));
		assertThat(found().state()).isEqualTo(TaskState.COMPLETED);
		register(this.instance, HOURLY);
		// a claim may forget the completed one before
		await()
			.until(() -> this.store.find(QUEUE, ID).filter((task) -> task.state() == TaskState.SCHEDULED).isPresent());
	}

	@Test
	void stepsAreCountedFromTheTimeThatWasGiven() {
		Instant first = Instant.now().minusSeconds(1800);
		register(this.instance, HOURLY.from(first));
		Instant due = awaitTask().dueAt();
		assertThat(due).isEqualTo(HOURLY.from(first).next(Instant.now()));
		try (ListenerFixture second = open(new ListenerTasks())) {
			int looks = this.store.calls(Step.FIND);
			register(second, HOURLY.from(first.minus(Duration.ofDays(9))));
			await().until(() -> this.store.calls(Step.FIND) > looks);
			assertThat(QueueView.of(this.store).stats(QUEUE).totals().replaced()).as("the same times").isZero();
		}
		try (ListenerFixture third = open(new ListenerTasks())) {
			register(third, HOURLY.from(first.minusSeconds(600)));
			await().until(() -> QueueView.of(this.store).stats(QUEUE).totals().replaced() == 1);
			assertThat(found().dueAt()).isEqualTo(HOURLY.from(first.minusSeconds(600)).next(Instant.now()));
		}
	}

	/** A task of other times than those of the listener. */
	private Instant scheduled(Recurrence recurrence, Instant dueAt) {
		DueTime due = DueTime.at(dueAt);
		this.store.schedule(QUEUE, List.of(new NewTask(ID, envelope(TaskOptions.NONE.withRecurrence(recurrence)), due,
				TaskPriority.NORMAL, Replacement.REPLACE)));
		return found().dueAt();
	}

	/** A time that has been rounded up comes a moment later. */
	private void claim(String token) {
		await()
			.until(() -> !this.store.claim(QUEUE, ClaimRequest.of(token, 1, Duration.ofMinutes(1))).tasks().isEmpty());
	}

	private byte[] envelope(TaskOptions options) {
		return this.instance.codec().writeEnvelope(QUEUE, ID, null, Map.of(), options, 1000);
	}

	private Recurrence recurrenceOfTheTask() {
		return this.instance.codec().readEnvelope(found().envelope()).options().recurrence();
	}

	@Test
	void thatIsDeadStaysSoUntilItIsRedriven() {
		register(this.instance, HOURLY);
		awaitTask();
		this.instance.registry().get(ID).stop();
		this.store.reschedule(QUEUE, ID, DueTime.in(Duration.ZERO));
		this.store.claim(QUEUE, ClaimRequest.of("t", 1, Duration.ofMinutes(1)));
		this.store.settle(QUEUE, List.of(Endings.deadLetter(ID, "t", true, null)));
		this.instance.registry().get(ID).start();
		this.tasks.register((id) -> true);
		assertThat(found().state()).isEqualTo(TaskState.DEAD);
	}

	/** As it is after FLUSHALL: the totals have begun anew. */
	@Test
	void isPutBackByARunningInstanceAfterTheStoreHasLostIt() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		((Logger) LoggerFactory.getLogger(ListenerTask.class)).addAppender(log);
		ManualTimer timers = lookedAfter();
		looks(timers).forEach(Timer::fire);
		QueueControl.of(this.store).clear(QUEUE);
		assertThat(QueueControl.of(this.store).forget(QUEUE)).isTrue();
		looks(timers).forEach(Timer::fire);
		assertThat(found().state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.anyMatch((line) -> line.startsWith("Redis has lost what queue 'digest' had"));
		assertThat(looks(timers)).hasSize(1);
	}

	@Test
	void thatIsCancelledOrClearedStaysAwayUntilAnInstanceStarts() {
		ManualTimer timers = lookedAfter();
		this.store.cancel(QUEUE, ID);
		looks(timers).forEach(Timer::fire);
		assertThat(this.store.find(QUEUE, ID)).isEmpty();
		this.store.schedule(QUEUE, List.of(task("another")));
		QueueControl.of(this.store).clear(QUEUE);
		looks(timers).forEach(Timer::fire);
		assertThat(this.store.find(QUEUE, ID)).isEmpty();
	}

	@Test
	void isLookedForAgainAfterALookThatFailed() {
		ManualTimer timers = lookedAfter();
		this.store.fail(Step.STATS);
		looks(timers).forEach(Timer::fire);
		assertThat(looks(timers)).hasSize(1);
	}

	private ManualTimer lookedAfter() {
		ManualThreads threads = new ManualThreads();
		ListenerFixture instance = new ListenerFixture(this.store, ListenerFixture.defaults(), threads,
				List.of(new ListenerTasks()));
		register(instance, HOURLY);
		assertThat(found().state()).isEqualTo(TaskState.SCHEDULED);
		return threads.claims;
	}

	private static List<Timer> looks(ManualTimer timers) {
		return timers.timers()
			.stream()
			.filter((timer) -> timer.isArmed() && timer.delay().equals(ListenerTask.LOOK_EVERY))
			.toList();
	}

	@Test
	void handlerThatTakesAPayloadIsRefused() {
		assertThatExceptionOfType(InvalidListenerException.class)
			.isThrownBy(() -> this.instance.registry()
				.register(QUEUE, Integer.class, (task, context) -> TaskResult.done(),
						ListenerOptions.builder().id(ID).recurrence(HOURLY).build()))
			.withMessage("listener 'digest.send' registered in code has a recurring task of its own, which has no "
					+ "payload, but takes one of type java.lang.Integer");
	}

	@Test
	void anotherListenerOfTheSameQueueIsRefusedUnlessItHasTheSameHandler() {
		register(this.instance, HOURLY);
		assertThatExceptionOfType(InvalidListenerException.class)
			.isThrownBy(() -> this.instance.registry()
				.register(QUEUE, String.class, (task, context) -> TaskResult.done(),
						ListenerOptions.builder().id("other").build()))
			.withMessage("listener 'other' registered in code and the digest listen to queue 'digest', so that either "
					+ "may get the recurring task of the other");
		this.instance.registry()
			.register(new DelayQueueListenerEndpoint("digest.weekend", QUEUE, String.class, this::handle,
					ListenerOptions.builder().recurrence(Recurrence.cron("0 0 11 * * SAT", "UTC")).build(),
					"the digest"));
		await().until(() -> this.store.find(QUEUE, "digest.weekend").isPresent());
	}

	private void register(ListenerFixture instance, Recurrence recurrence) {
		instance.registry().register(endpoint(ListenerOptions.builder().recurrence(recurrence).build()));
	}

	private DelayQueueListenerEndpoint endpoint(ListenerOptions options) {
		return new DelayQueueListenerEndpoint(ID, QUEUE, String.class, this::handle, options, "the digest");
	}

	private CompletableFuture<List<TaskResult>> handle(List<Delivery<?>> deliveries) {
		deliveries.forEach((delivery) -> this.payloads.add(String.valueOf(delivery.task().payload())));
		return CompletableFuture.completedFuture(new ArrayList<>(List.of(TaskResult.done())));
	}

	private StoredTask awaitTask() {
		await().until(() -> this.store.find(QUEUE, ID).isPresent());
		return found();
	}

	private StoredTask found() {
		return this.store.find(QUEUE, ID).orElseThrow();
	}

}
