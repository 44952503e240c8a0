package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.console.QueueEntry.Group;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.fixtures.StubContainers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.roles.Attendance;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link QueueManagement} and what it does when the store fails. What is seen
 * and done over the web is in {@link UnrestrictedEndpointIntegrationTests}.
 */
@Execution(ExecutionMode.CONCURRENT)
class QueueManagementTests {

	private static final QueueStats EMPTY = new QueueStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, false,
			new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));

	private final TaskStore store = MockStores.create();

	private final DelayQueueOperations operations = mock();

	private final StubContainers containers = new StubContainers();

	private final QueueManagement management = management(Access.UNRESTRICTED);

	private QueuesDescriptor overview(@Nullable String search, @Nullable String offset, @Nullable String limit) {
		return (QueuesDescriptor) this.management
			.view(RequestArguments.named("search", search, "offset", offset, "limit", limit));
	}

	@Test
	void listsAnnouncedAndConsumedQueuesInOrder() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook", "booking"));
		given(QueueView.of(this.store).stats(anyString())).willReturn(EMPTY);
		this.containers.set(StubContainers.running("a", null));
		QueuesDescriptor all = overview(null, null, null);
		assertThat(all.queues().keySet()).containsExactly("booking", "order_timeout", "webhook");
		assertThat(all.order()).containsExactly("booking", "order_timeout", "webhook");
		assertThat(all.groups()).isEqualTo(Map.of(Group.DANGER, 0, Group.WARNING, 0, Group.WORKING, 0, Group.QUIET, 3));
	}

	@Test
	void overviewIsShownInPagesAndByName() {
		given(QueueView.of(this.store).queues()).willReturn(IntStream.range(0, 2000)
			.mapToObj((i) -> String.format(Locale.ROOT, "queue-%04d", i))
			.collect(Collectors.toSet()));
		given(QueueView.of(this.store).stats(anyString())).willReturn(EMPTY);
		QueuesDescriptor first = overview(null, null, null);
		assertThat(first.queues()).hasSize(50).containsKey("queue-0000");
		assertThat(first.total()).isEqualTo(2000);
		assertThat(overview(null, null, "500").queues()).hasSize(500);
		assertThat(overview(null, "1999", "10").queues()).containsOnlyKeys("queue-1999");
		QueuesDescriptor found = overview("UE-100", "1", "2");
		assertThat(found.queues()).containsOnlyKeys("queue-1001", "queue-1002");
		assertThat(found.total()).isEqualTo(10);
		assertFails(400, "The limit must be a number from 1 to 500", () -> overview(null, null, "501"));
	}

	@Test
	void worstQueuesAreOnTheFirstPageWhateverTheirNames() {
		given(QueueView.of(this.store).queues()).willReturn(IntStream.range(0, 100)
			.mapToObj((i) -> String.format(Locale.ROOT, "queue-%04d", i))
			.collect(Collectors.toSet()));
		given(this.store.requireRole(InstanceTraces.class).attendance()).willReturn(Optional.of(List.of()));
		given(QueueView.of(this.store).stats(anyString())).willReturn(EMPTY);
		willReturn(due(Duration.ofSeconds(5))).given((QueueView) this.store).stats("queue-0070");
		willReturn(due(Duration.ofSeconds(6))).given((QueueView) this.store).stats("queue-0099");
		willReturn(figures(0, 4, Duration.ZERO, true, 7)).given((QueueView) this.store).stats("queue-0050");
		willReturn(figures(0, 3, Duration.ZERO, true, 9)).given((QueueView) this.store).stats("queue-0051");
		willReturn(figures(3, 0, Duration.ofDays(1), true, 9)).given((QueueView) this.store).stats("queue-0080");
		QueuesDescriptor first = overview(null, null, "8");
		assertThat(first.order()).containsExactly("queue-0099", "queue-0070", "queue-0080", "queue-0051", "queue-0050",
				"queue-0000", "queue-0001", "queue-0002");
		assertThat(first.queues()).containsOnlyKeys(first.order());
		assertThat(first.groups())
			.isEqualTo(Map.of(Group.DANGER, 2, Group.WARNING, 1, Group.WORKING, 2, Group.QUIET, 95));
		assertThat(first.queues().get("queue-0080").trouble()).extracting(Trouble::code).containsExactly("paused");
		assertThat(first.queues().get("queue-0080").group()).isEqualTo(Group.WARNING);
		willReturn(EMPTY).given((QueueView) this.store).stats("queue-0099");
		this.management.act("queue-0070", "pause", Map.of(), SecurityContext.NONE);
		assertThat(overview(null, null, "2").order()).containsExactly("queue-0070", "queue-0099");
		assertThat(overview(null, null, "2").order()).containsExactly("queue-0070", "queue-0080");
		then(QueueView.of(this.store)).should(times(100 + 8 + 2 + 2)).stats(anyString());
	}

	@Test
	void nobodyWaitsForAReadingOfAllQueues() throws Exception {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("a", "b", "c"));
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		given(QueueView.of(this.store).stats(anyString())).willReturn(EMPTY);
		willAnswer((invocation) -> {
			reading.countDown();
			end.await();
			return EMPTY;
		}).given((QueueView) this.store).stats("c");
		ExecutorService users = Executors.newCachedThreadPool();
		try {
			Future<QueuesDescriptor> first = users.submit(() -> overview(null, null, "1"));
			reading.await();
			long limit = Patience.LIMIT.toMillis();
			assertThat(users.submit(() -> this.management.act("a", "pause", Map.of(), SecurityContext.NONE))
				.get(limit, TimeUnit.MILLISECONDS)).isNotNull();
			assertThat(users.submit(() -> overview(null, null, "1")).get(limit, TimeUnit.MILLISECONDS).order())
				.containsExactly("a");
			end.countDown();
			assertThat(first.get().order()).containsExactly("a");
		}
		finally {
			end.countDown();
			users.shutdownNow();
		}
	}

	private static QueueStats due(Duration oldest) {
		return figures(1, 0, oldest, false, 0);
	}

	private static QueueStats figures(long due, long inFlight, Duration oldest, boolean paused, long handled) {
		return new QueueStats(due, due, inFlight, 0, 0, 0, 0, oldest, null, paused,
				new QueueStats.Totals(0, handled, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	}

	@Test
	void whoHasChangedAQueueIsLogged() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		// other tests log meanwhile
		log.list = new CopyOnWriteArrayList<>();
		Logger logger = (Logger) LoggerFactory.getLogger(QueueManagement.class);
		logger.setLevel(Level.INFO);
		log.start();
		logger.addAppender(log);
		given(QueueView.of(this.store).queues()).willReturn(Set.of("audited"));
		SecurityContext user = mock();
		given(user.getPrincipal()).willReturn(() -> "ann\nroot");
		this.management.act("audited", "pause", Map.of(), user);
		this.management.act("audited", "pause", Map.of(), SecurityContext.NONE);
		logger.detachAppender(log);
		logger.setLevel(null);
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.contains("Queue 'audited': pause by request of 'ann?root' ()",
					"Queue 'audited': pause by request of an unknown user ()");
	}

	private long nanos;

	@Test
	void queueSaysHowManyInstancesConsumeItThisOneIncluded() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("order_timeout", "webhook", "misspelt"));
		given(QueueView.of(this.store).stats(anyString())).willReturn(EMPTY);
		assertThat(consumers("webhook")).isNull();
		Attendance one = new Attendance("1", Instant.EPOCH, Duration.ZERO,
				"{\"every\":9,\"consumers\":[{\"queue\":\"webhook\"}]}");
		given(this.store.requireRole(InstanceTraces.class).attendance())
			.willReturn(Optional.of(List.of(one, new Attendance("2", Instant.EPOCH, Duration.ZERO, one.trace()))));
		this.containers.set(StubContainers.running("a", null));
		assertThat(consumers("webhook")).isNull();
		this.nanos += Duration.ofSeconds(1).toNanos();
		assertThat(consumers("webhook")).isEqualTo(2);
		assertThat(consumers("order_timeout")).isEqualTo(1);
		assertThat(consumers("misspelt")).isZero();
		then(this.store.requireRole(InstanceTraces.class)).should(times(2)).attendance();
		given(this.store.requireRole(InstanceTraces.class).attendance()).willThrow(unavailable());
		this.nanos += Duration.ofSeconds(1).toNanos();
		assertThat(consumers("webhook")).isNull();
	}

	private @Nullable Integer consumers(String queue) {
		Integer consumers = ((QueueDescriptor) this.management.queue(queue)).consumers();
		assertThat(((QueueDescriptor) overview(null, null, null).queues().get(queue)).consumers()).isEqualTo(consumers);
		return consumers;
	}

	@Test
	void queueThatTheStoreRefusesSaysWhyAndTheOthersAreShown() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("spoiled", "webhook"));
		given(QueueView.of(this.store).stats("spoiled"))
			.willThrow(new DelayQueueException("spoiled", null, "WRONGTYPE"));
		given(QueueView.of(this.store).stats("webhook")).willReturn(EMPTY);
		Map<String, QueueEntry> queues = overview(null, null, null).queues();
		assertThat(queues.get("spoiled")).isEqualTo(UnreadableQueueDescriptor.of("WRONGTYPE", List.of()));
		assertThat(queues.get("webhook")).isInstanceOf(QueueDescriptor.class);
		assertThat(this.management.queue("spoiled")).isEqualTo(queues.get("spoiled"));
	}

	@Test
	void queuesOutOfReachSayWhyAndNotMoreThanThreeAreTried() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("a", "b", "c", "d", "e"));
		given(QueueView.of(this.store).stats(anyString())).willThrow(unavailable());
		willReturn(EMPTY).given((QueueView) this.store).stats("b");
		Map<String, QueueEntry> queues = overview(null, null, null).queues();
		assertThat(queues.get("a")).isEqualTo(UnreadableQueueDescriptor.of("Redis is gone", List.of()));
		assertThat(queues.get("b")).isInstanceOf(QueueDescriptor.class);
		assertThat(queues.get("e").group()).isEqualTo(Group.QUIET);
		assertThat(queues.get("e").trouble()).extracting(Trouble::level, Trouble::sentence)
			.containsExactly(tuple(Trouble.Level.NOTE,
					"Its figures cannot be read: Not tried, because others could not be reached."));
		then(QueueView.of(this.store)).should(never()).stats("e");
	}

	@Test
	void refusalOfTheStoreIsNotHidden() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook"));
		given(QueueView.of(this.store).history("webhook"))
			.willThrow(new DelayQueueException("webhook", null, "Redis refused", new IllegalStateException()));
		assertFails(500, "Redis refused", () -> view("webhook", "history", Map.of()));
	}

	@Test
	void actionThatIsNotKnownIsRefusedWithThoseThatAre() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook"));
		assertFails(400,
				"The action must be one of: allowed, pause, resume, run-now, reschedule, cancel, copy, redrive, delete, "
						+ "start, stop, forget, adopt",
				() -> this.management.act("webhook", "PAUSE", Map.of(), SecurityContext.NONE));
	}

	@Test
	void onlyAQueueWithoutTasksAndListenersIsForgotten() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("used", "full", "order_timeout"));
		given(this.operations.forget("used")).willReturn(true);
		this.containers.set(StubContainers.running("a", null));
		assertThat(this.management.act("used", "forget", Map.of(), SecurityContext.NONE))
			.isEqualTo(new ActionDescriptor("forget", null, null, null, null, null));
		assertFails(409, "Queue 'full' has tasks, which may be dead or completed",
				() -> this.management.act("full", "forget", Map.of(), SecurityContext.NONE));
		assertFails(409, "Queue 'order_timeout' is consumed by this instance, so it would appear again at once",
				() -> this.management.act("order_timeout", "forget", Map.of(), SecurityContext.NONE));
		then(this.operations).should(never()).forget("order_timeout");
	}

	@Test
	void queueIsAdoptedWithTheTasksOfThisInstance() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook"));
		assertThat(this.management.act("webhook", "adopt", Map.of(), SecurityContext.NONE))
			.isEqualTo(new ActionDescriptor("adopt", null, null, null, null, null));
		then(this.store.requireRole(Incarnations.class)).should().adopt("webhook", "");
	}

	@Test
	void nothingIsChangedUnlessAccessIsUnrestricted() {
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook"));
		for (Access access : List.of(Access.READ_ONLY, Access.NONE)) {
			QueueManagement restricted = management(access);
			assertFails(403,
					"Queues are read-only here: to change them set "
							+ "management.endpoint.delayqueue.access=unrestricted",
					() -> restricted.act("webhook", "pause", Map.of(), SecurityContext.NONE));
		}
		then(this.operations).shouldHaveNoInteractions();
	}

	@Test
	@Timeout(60)
	void stopIsAnsweredWhileAHandlerTakesItsTime() {
		CountDownLatch end = new CountDownLatch(1);
		DelayQueueListenerContainer container = mock();
		given(container.getId()).willReturn("slow");
		given(container.getQueue()).willReturn("order_timeout");
		given(container.status()).willReturn(StubContainers.stopped("slow", null));
		willAnswer((invocation) -> end.await(1, TimeUnit.HOURS)).given(container).stop();
		DelayQueueListenerContainerRegistry registry = mock();
		given(registry.getContainers()).willReturn(List.of(container));
		given(registry.getContainers("order_timeout")).willReturn(List.of(container));
		QueueManagement management = new QueueManagement(this.store, registry, this.operations,
				TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build())),
				new ManagementSettings(Access.UNRESTRICTED, Show.NEVER, Set.of(), (queue) -> false),
				new ConsumersCache(this.store, () -> this.nanos), TroubleRules.DEFAULTS);
		assertThat(management.act("order_timeout", "stop", Map.of("listener", "slow"), SecurityContext.NONE))
			.isEqualTo(new ActionDescriptor("stop", null, null, new QueueDescriptor.Listener("slow", false, 8, 1, null),
					null, null));
		end.countDown();
	}

	@Test
	@Timeout(60)
	void fewLookAtATimeAndActionsAreNotHeldUp() throws Exception {
		CountDownLatch looking = new CountDownLatch(4);
		CountDownLatch end = new CountDownLatch(1);
		given(QueueView.of(this.store).queues()).willReturn(Set.of("webhook"));
		given(QueueView.of(this.store).stats("webhook")).willAnswer((invocation) -> {
			looking.countDown();
			end.await();
			return EMPTY;
		});
		ExecutorService readers = Executors.newFixedThreadPool(4);
		try {
			List<Future<QueueEntry>> answers = IntStream.range(0, 4)
				.mapToObj((i) -> readers.submit(() -> this.management.queue("webhook")))
				.toList();
			looking.await();
			String sentence = "4 requests are already waiting for Redis on this instance, for 1 s. "
					+ "Ask again later, and less often";
			assertFails(429, sentence, () -> this.management.queue("webhook"));
			assertFails(429, sentence, () -> this.management.view("webhook", "tasks", Map.of(), SecurityContext.NONE));
			assertThat(this.management.act("webhook", "pause", Map.of(), SecurityContext.NONE)).isNotNull();
			end.countDown();
			for (Future<QueueEntry> answer : answers) {
				assertThat(answer.get()).isInstanceOf(QueueDescriptor.class);
			}
			assertThat(this.management.queue("webhook")).isInstanceOf(QueueDescriptor.class);
		}
		finally {
			end.countDown();
			readers.shutdownNow();
		}
	}

	private QueueManagement management(Access access) {
		return new QueueManagement(this.store, this.containers.registry(), this.operations,
				TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build())),
				new ManagementSettings(access, Show.NEVER, Set.of(), (queue) -> false),
				new ConsumersCache(this.store, () -> this.nanos), TroubleRules.DEFAULTS);
	}

	private OperationResponseBody view(String queue, String view, Map<String, String> arguments) {
		Map<String, @Nullable String> given = new HashMap<>(arguments);
		return this.management.view(queue, view, given, SecurityContext.NONE);
	}

	private static void assertFails(int status, String message, ThrowingCallable request) {
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(request)
			.withMessage(message)
			.extracting(QueueRequestException::getStatus)
			.isEqualTo(status);
	}

	private static StoreUnavailableException unavailable() {
		return new StoreUnavailableException(null, null, "Redis is gone", null);
	}

}
