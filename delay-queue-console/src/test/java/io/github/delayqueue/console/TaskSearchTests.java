package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.StubContainers;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.polling.PollingTemplates;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TaskSearch}.
 */
class TaskSearchTests {

	private static final Instant NOW = Instant.parse("2026-11-21T19:34:06Z");

	private final Map<String, DelayQueueException> refusals = new HashMap<>();

	private final List<String> asked = new ArrayList<>();

	private long nanos;

	private long nanosPerLook;

	private long nanosPerView;

	private final DelegatingTaskStore store = new DelegatingTaskStore(
			new InMemoryTaskStore(Clock.fixed(NOW, ZoneOffset.UTC))) {

		@Override
		public Optional<StoredTask> find(String queue, String taskId) {
			TaskSearchTests.this.asked.add(queue);
			TaskSearchTests.this.nanos += TaskSearchTests.this.nanosPerLook;
			if (TaskSearchTests.this.refusals.containsKey(queue)) {
				throw TaskSearchTests.this.refusals.get(queue);
			}
			return super.find(queue, taskId);
		}

		@Override
		public <R> R role(Class<R> type) {
			TaskSearchTests.this.nanos += TaskSearchTests.this.nanosPerView;
			return super.role(type);
		}

	};

	private final TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build()));

	private final DelayQueueTemplate delayQueue = PollingTemplates.create(this.store, this.codec, TaskEvents.NONE,
			(queue) -> QueueOptions.DEFAULTS, new QueueSteps(this.store, this.codec));

	private final StubContainers containers = new StubContainers();

	private final TaskSearch search = new TaskSearch(this.store, this.codec,
			new ListenerSwitch(this.containers.registry(), new ConsumersCache(this.store, System::nanoTime)),
			Clock.fixed(NOW, ZoneOffset.UTC), () -> this.nanos);

	@Test
	void taskIsFoundInEveryQueueThatHasIt() {
		this.delayQueue.schedule("a", "order-1", "secret", Duration.ofDays(1));
		this.delayQueue.schedule("c", "order-1", null, Duration.ZERO);
		this.delayQueue.schedule("b", "order-2", null, Duration.ZERO);
		FoundTasksDescriptor found = find(List.of("a", "b", "c"), Map.of());
		assertThat(found.tasks()).containsOnlyKeys("a", "c");
		assertThat(found.tasks().get("a")).singleElement()
			.satisfies((task) -> assertThat(task.state()).isEqualTo(TaskState.SCHEDULED))
			.satisfies((task) -> assertThat(task.payload()).isNull());
		assertThat(found.looked()).isEqualTo(3);
		assertThat(found.total()).isEqualTo(3);
		assertThat(found.cursor()).isNull();
	}

	@Test
	void thousandsOfQueuesAreLookedAtTwoHundredAtATime() {
		List<String> queues = IntStream.range(0, 450).mapToObj((i) -> String.format(Locale.ROOT, "q%03d", i)).toList();
		this.delayQueue.schedule("q449", "order-1", null, Duration.ZERO);
		FoundTasksDescriptor first = find(queues, Map.of());
		assertThat(first.looked()).isEqualTo(200);
		assertThat(first.total()).isEqualTo(450);
		assertThat(first.cursor()).isEqualTo("q199");
		assertThat(find(queues, Map.of("cursor", "q199")).cursor()).isEqualTo("q399");
		FoundTasksDescriptor last = find(queues, Map.of("cursor", "q399"));
		assertThat(last.looked()).isEqualTo(50);
		assertThat(last.tasks()).containsOnlyKeys("q449");
		assertThat(last.cursor()).isNull();
		assertThat(this.asked).isEqualTo(queues);
	}

	@Test
	void queuesThatComeAndGoHideNoOther() {
		assertThat(find(List.of("a", "b", "d"), Map.of("limit", "2")).cursor()).isEqualTo("b");
		assertThat(find(List.of("0", "a", "c", "d"), Map.of("cursor", "b", "limit", "2")).looked()).isEqualTo(2);
		assertThat(this.asked).containsExactly("a", "b", "c", "d");
	}

	@Test
	void answerEndsWhenItHasTakenItsTime() {
		this.nanosPerLook = Duration.ofMillis(70).toNanos();
		FoundTasksDescriptor first = find(List.of("a", "b", "c", "d", "e"), Map.of());
		assertThat(first.looked()).isEqualTo(3);
		assertThat(first.cursor()).isEqualTo("c");
		this.nanosPerLook = Duration.ofMinutes(1).toNanos();
		assertThat(find(List.of("a", "b", "c", "d", "e"), Map.of("cursor", "c")).looked()).isOne();
	}

	@Test
	void queueThatCannotBeLookedAtIsNamedAndTheOthersAreLookedAt() {
		this.delayQueue.schedule("c", "order-1", null, Duration.ZERO);
		this.refusals.put("a", new DelayQueueException("a", null, "WRONGTYPE"));
		this.refusals.put("b", new StoreUnavailableException("b", null, "Redis is gone", null));
		FoundTasksDescriptor found = find(List.of("a", "b", "c"), Map.of());
		assertThat(found.unread()).containsExactly("a", "b");
		assertThat(found.tasks()).containsOnlyKeys("c");
	}

	@Test
	void textIsFoundInPayloadsAndHeadersOfTasksInWhateverState() {
		this.delayQueue.schedule("a", "dead", Map.of("order", "Nr. 7 (书)"), Duration.ZERO);
		this.delayQueue.poll("a", 1, Duration.ofMinutes(1)).get(0).deadLetter("no good");
		this.delayQueue.schedule("a", "waiting", "NR. 7", Duration.ofDays(1));
		this.delayQueue.schedule("a", "other", "8", Duration.ofDays(1));
		this.delayQueue
			.schedule(TaskRequest.queue("a").id("of b").header("tenant", "B7").delay(Duration.ofDays(1)).build());
		assertThat(search("text", "nr. 7")).containsExactly("dead", "waiting");
		assertThat(search("text", "7 (书)")).containsExactly("dead");
		assertThat(search("text", ".*")).isEmpty();
		assertThat(search("header", "Tenant: b7")).containsExactly("of b");
		assertThat(search("header", "nr. 7")).isEmpty();
		FoundTasksDescriptor found = look(Map.of("text", "nr. 7"), true);
		assertThat(found.tasks().get("a").get(0).payload()).isNull();
		assertThat(found.looked()).isEqualTo(4);
		assertThat(found.total()).isEqualTo(4);
		assertThat(found.partly()).isEmpty();
		assertThat(look(Map.of("text", "no such"), true).tasks()).isEmpty();
	}

	@Test
	void textIsLookedForSomeTasksAtATimeAndItIsSaidHowFar() {
		for (int i = 0; i < 250; i++) {
			this.delayQueue.schedule("a", "t" + i, (i % 50 == 0) ? "needle" : "hay", Duration.ofDays(1));
		}
		FoundTasksDescriptor first = look(Map.of("text", "needle", "limit", "2"), true);
		assertThat(first.tasks().get("a")).hasSize(2);
		assertThat(first.total()).isEqualTo(250);
		FoundTasksDescriptor rest = look(Map.of("text", "needle", "cursor", first.cursor()), true);
		assertThat(rest.tasks().get("a")).hasSize(3);
		assertThat(first.looked() + rest.looked()).isEqualTo(250);
		assertThat(rest.cursor()).isNull();
		this.nanosPerView = Duration.ofMinutes(1).toNanos();
		assertThat(look(Map.of("text", "needle"), true).looked()).isEqualTo(100);
	}

	@Test
	void whatIsTooLargeIsNotLookedInto() {
		this.delayQueue.schedule("a", "large", "needle" + "x".repeat(20_000), Duration.ofDays(1));
		FoundTasksDescriptor found = look(Map.of("text", "needle"), true);
		assertThat(found.tasks()).isEmpty();
		assertThat(found.partly()).containsExactly("a");
	}

	@Test
	void payloadsAreLookedIntoForThoseWhoMaySeeThem() {
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(() -> look(Map.of("text", "needle"), false))
			.satisfies((ex) -> assertThat(ex.getStatus()).isEqualTo(403));
		assertThat(look(Map.of("header", "needle"), false).tasks()).isEmpty();
		for (Map<String, String> arguments : List.<Map<String, String>>of(Map.of(), Map.of("text", ""),
				Map.of("text", "a", "header", "b"), Map.of("text", "a", "cursor", "4:0"),
				Map.of("text", "a", "limit", "501"))) {
			assertThatExceptionOfType(QueueRequestException.class).isThrownBy(() -> look(arguments, true))
				.satisfies((ex) -> assertThat(ex.getStatus()).isEqualTo(400));
		}
	}

	private List<String> search(String where, String text) {
		return look(Map.of(where, text), true).tasks()
			.getOrDefault("a", List.of())
			.stream()
			.map(TaskDescriptor::id)
			.toList();
	}

	private FoundTasksDescriptor look(Map<String, String> arguments, boolean showsPayloads) {
		return this.search.search("a", new RequestArguments("a", new HashMap<>(arguments)), showsPayloads);
	}

	@Test
	void recurringTasksAreFoundInWhateverStateTheyAre() {
		this.delayQueue.schedule(
				TaskRequest.queue("a").id("hourly").every(Duration.ofHours(1)).dueAt(NOW.plusSeconds(3600)).build());
		this.delayQueue.schedule(TaskRequest.queue("a").id("flying").every(Duration.ofHours(1)).dueAt(NOW).build());
		this.delayQueue.poll("a", 1, Duration.ofMinutes(1));
		this.delayQueue.schedule(TaskRequest.queue("a").id("gone").every(Duration.ofHours(1)).dueAt(NOW).build());
		this.delayQueue.poll("a", 1, Duration.ofMinutes(1)).get(0).deadLetter("for good");
		this.delayQueue.schedule("a", "once", null, Duration.ZERO);
		FoundTasksDescriptor found = recurring("a", "b");
		assertThat(found.tasks()).containsOnlyKeys("a");
		assertThat(found.tasks().get("a")).extracting(TaskDescriptor::id).containsExactly("flying", "gone", "hourly");
		assertThat(found.tasks().get("a")).extracting(TaskDescriptor::nextRuns)
			.containsExactly(hours(1, 2, 3), null, hours(1, 2, 3));
		assertThat(found.partly()).isEmpty();
	}

	@Test
	void lastRunThatWentWellIsShownOfRecurringTasksOnly() {
		this.delayQueue.schedule(TaskRequest.queue("a").id("hourly").every(Duration.ofHours(1)).dueAt(NOW).build());
		this.delayQueue.schedule("a", "once", null, Duration.ZERO);
		assertThat(recurring("a").tasks().get("a").get(0).lastRun()).isNull();
		this.delayQueue.poll("a", 1, Duration.ofMinutes(1)).get(0).complete();
		TaskDescriptor hourly = recurring("a").tasks().get("a").get(0);
		assertThat(hourly.lastRun()).isNotNull();
		assertThat(hourly.lastRun().endedAt()).isAfterOrEqualTo(NOW);
		assertThat(hourly.lastRun().took()).isGreaterThanOrEqualTo(Duration.ZERO);
		assertThat(hourly.lastFailure()).isNull();
		assertThat(this.delayQueue.find("a", "hourly")).get()
			.returns(hourly.lastRun(), TaskDetails::lastRun)
			.returns(null, TaskDetails::lastFailure);
		assertThat(this.delayQueue.find("a", "once")).get().returns(null, TaskDetails::lastRun);
	}

	/** An hour ago another instance had it. */
	@Test
	void taskOfAListenerIsFoundBehindAnyNumberOfOthers() {
		for (int i = 0; i < TaskSearch.MAX_TASKS; i++) {
			this.delayQueue.schedule("order_timeout", "task-" + i, null, Duration.ofMinutes(1));
		}
		for (String id : List.of("here", "there", "made-by-hand")) {
			this.delayQueue.schedule(TaskRequest.queue("order_timeout").id(id).every(Duration.ofDays(1)).build());
		}
		this.containers.set(StubContainers.running("here", null));
		this.store.requireRole(InstanceTraces.class).attend("other", """
				{"host":"h","pid":1,"version":"1","startedAgo":0,"every":20000,"complete":true,
				"consumers":[{"listener":"there","queue":"order_timeout","workers":1,"since":0}]}""");
		FoundTasksDescriptor found = recurring("order_timeout");
		assertThat(found.tasks().get("order_timeout")).extracting(TaskDescriptor::id).containsExactly("here", "there");
		assertThat(found.partly()).containsExactly("order_timeout");
	}

	@Test
	void taskTooLargeForAListMayBeARecurringOne() {
		this.delayQueue
			.schedule(TaskRequest.queue("a").id("large").payload("x".repeat(5000)).every(Duration.ofDays(1)).build());
		FoundTasksDescriptor found = recurring("a");
		assertThat(found.tasks()).isEmpty();
		assertThat(found.partly()).containsExactly("a");
	}

	@Test
	void nextRunsBeginWithTheOneThatIsDueAndGoOnAfterNow() {
		Recurrence hourly = Recurrence.every(Duration.ofHours(1)).from(NOW);
		assertThat(runs(hourly, TaskState.SCHEDULED, NOW.plusSeconds(600))).containsExactly(NOW.plusSeconds(600),
				NOW.plusSeconds(3600), NOW.plusSeconds(7200));
		assertThat(runs(hourly, TaskState.SCHEDULED, NOW.minusSeconds(36_000)))
			.as("missed times are made up for by one")
			.containsExactly(NOW.minusSeconds(36_000), NOW.plusSeconds(3600), NOW.plusSeconds(7200));
		assertThat(runs(hourly, TaskState.IN_FLIGHT, NOW)).isEqualTo(hours(1, 2, 3));
		assertThat(runs(hourly, TaskState.DEAD, NOW)).isNull();
		assertThat(runs(null, TaskState.SCHEDULED, NOW)).isNull();
		assertThat(runs(Recurrence.cron("0 0 9 * * *", ZoneId.of("Europe/Berlin")).onMissed(OnMissed.SKIP),
				TaskState.SCHEDULED, Instant.parse("2026-11-22T08:00:00Z")))
			.containsExactly(Instant.parse("2026-11-22T08:00:00Z"), Instant.parse("2026-11-23T08:00:00Z"),
					Instant.parse("2026-11-24T08:00:00Z"));
	}

	@Test
	void argumentThatHasNoEffectIsRefused() {
		assertThatExceptionOfType(QueueRequestException.class)
			.isThrownBy(() -> this.search.find(List.of(), arguments(Map.of("id", "a", "offset", "3"))))
			.withMessage("A search by id does not take 'offset', but cursor, id, limit, search");
		assertThatExceptionOfType(QueueRequestException.class)
			.isThrownBy(() -> this.search.recurring(List.of(), arguments(Map.of("recurring", "no"))))
			.withMessage("'recurring' must be true");
	}

	private @Nullable List<Instant> runs(@Nullable Recurrence recurrence, TaskState state, Instant dueAt) {
		return this.search.nextRuns(recurrence, state, dueAt);
	}

	private static List<Instant> hours(long... later) {
		return Arrays.stream(later).mapToObj((hours) -> NOW.plus(Duration.ofHours(hours))).toList();
	}

	private FoundTasksDescriptor find(List<String> queues, Map<String, String> arguments) {
		Map<String, String> all = new HashMap<>(arguments);
		all.put("id", "order-1");
		return this.search.find(queues, arguments(all));
	}

	private FoundTasksDescriptor recurring(String... queues) {
		return this.search.recurring(List.of(queues), arguments(Map.of("recurring", "true")));
	}

	private static RequestArguments arguments(Map<String, String> values) {
		return new RequestArguments(null, new HashMap<>(values));
	}

}
