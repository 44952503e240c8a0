package io.github.delayqueue.console;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.assertj.RestTestClientResponse;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What can be seen and done through the endpoint where it may change queues, on a real
 * Redis. The application shows payloads when authorized.
 */
abstract class AbstractUnrestrictedEndpointIntegrationTests {

	static final String PROPERTIES = "management.endpoints.web.exposure.include=delayqueue";

	static final String UNRESTRICTED = "management.endpoint.delayqueue.access=unrestricted";

	static final String SHOW = "management.endpoint.delayqueue.show-values=when-authorized";

	static final String QUEUE = "operated";

	static final String GROUPED = "grouped";

	static final String GROUPS = "delay-queue.queues." + GROUPED + ".groups.enabled=true";

	static final String PATH = "/" + QUEUE;

	@Autowired
	DelayQueueOperations operations;

	@Autowired
	private DelayQueueListenerContainerRegistry registry;

	@Autowired
	private TaskStore store;

	@Autowired
	private GroupGauges groupGauges;

	@LocalServerPort
	private int port;

	EndpointClient client;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.url", TestRedis::url);
	}

	@BeforeEach
	void startAnew() {
		this.client = new EndpointClient(this.port);
		this.operations.clear(QUEUE);
		this.operations.resume(QUEUE);
		QueueControl.of(this.store).announce(QUEUE);
	}

	@Test
	void tasksOfAStateAreListedPageByPage() throws Exception {
		for (int i = 1; i <= 5; i++) {
			this.operations.schedule(QUEUE, "t" + i, "payload", Duration.ofHours(i));
		}
		assertThat(ids(this.client.get(PATH + "/tasks"))).containsExactly("t1", "t2", "t3", "t4", "t5");
		RestTestClientResponse page = this.client.get(PATH + "/tasks?state=scheduled&offset=2&limit=2");
		assertThat(ids(page)).containsExactly("t3", "t4");
		assertThat(page).bodyText()
			.startsWith("{\"state\":\"SCHEDULED\",\"offset\":2,\"limit\":2,\"tasks\":[{\"id\":\"t3\","
					+ "\"state\":\"SCHEDULED\",\"dueAt\":\"")
			.doesNotContain("payload", "headers");
		assertThat(ids(this.client.get(PATH + "/tasks?state=DEAD"))).isEmpty();
		assertThat(ids(this.client.get(PATH + "/tasks?state=DUE"))).isEmpty();
		this.operations.reschedule(QUEUE, "t4", Duration.ZERO);
		assertThat(ids(this.client.get(PATH + "/tasks?state=due"))).containsExactly("t4");
		assertThat(this.client.get(PATH + "/tasks?offset=10000&limit=500")).bodyText().endsWith("\"tasks\":[]}");
	}

	@Test
	void taskIsShownWithAllThatIsKnownOfIt() throws Exception {
		this.operations.schedule(TaskRequest.queue(QUEUE)
			.id("whole")
			.payload(Map.of("number", 7))
			.header("tenant", "a")
			.dueAt(Instant.parse("2100-01-01T00:00:00Z"))
			.build());
		assertThat(this.client.get(PATH + "/tasks?id=whole")).bodyText().isEqualToIgnoringNewLines("""
				{"id":"whole","state":"SCHEDULED","dueAt":"2100-01-01T00:00:00Z","stateAt":"2100-01-01T00:00:00Z",
				"priority":"NORMAL","failures":0,"leasesLost":0,"headers":{"tenant":"a"},"payload":"******"}""");
		this.operations.schedule(TaskRequest.queue(QUEUE).id("empty").delay(Duration.ofDays(1)).build());
		assertThat(this.client.get(PATH + "/tasks?id=empty")).bodyText().doesNotContain("payload");
	}

	@Test
	void recurringTasksOfAllQueuesAreShownWithTheirNextRuns() {
		this.operations.schedule(
				TaskRequest.queue(QUEUE).id("daily").cron("0 0 9 1 1 *", ZoneId.of("UTC")).payload("secret").build());
		this.operations.schedule(QUEUE, "once", null, Duration.ofDays(1));
		await().untilAsserted(() -> assertThat(this.client.get("?recurring=true")).hasStatus(200)
			.bodyText()
			.startsWith("{\"tasks\":{\"operated\":[{\"id\":\"daily\",")
			.containsPattern(
					"\"nextRuns\":\\[\"20..-01-01T09:00:00Z\",\"20..-01-01T09:00:00Z\",\"20..-01-01T09:00:00Z\"]")
			.doesNotContain("once", "secret"));
		assertThat(this.client.get(PATH + "/tasks?id=daily")).bodyText()
			.contains("\"nextRuns\":[\"")
			.doesNotContain("lastRun");
		this.operations.reschedule(QUEUE, "daily", Duration.ZERO);
		this.operations.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).complete();
		for (String query : List.of("?recurring=true", PATH + "/tasks?id=daily")) {
			await().untilAsserted(() -> assertThat(this.client.get(query)).bodyText()
				.containsPattern("\"lastRun\":\\{\"endedAt\":\"20[^\"]*Z\",\"took\":\"PT[^\"]*S\"}")
				.doesNotContain("lastFailure"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b", "50%", "x;y", "订单 1", "a+b&c=d", "{id}", "\"quoted\"", "../up", "null" })
	void taskOfAnyIdIsFoundAndChanged(String id) throws Exception {
		this.operations.schedule(QUEUE, id, "payload", Duration.ofDays(1));
		String path = PATH + "/tasks?id=" + EndpointClient.encode(id);
		assertThat(this.client.get(path)).hasStatus(200);
		assertThat(this.client.post(PATH, Map.of("action", "reschedule", "id", id, "delay", "2h"))).bodyText()
			.isEqualTo("{\"action\":\"reschedule\",\"tasks\":1}");
		assertThat(dueIn(id)).isCloseTo(Duration.ofMinutes(120), Duration.ofMinutes(1));
		assertThat(this.client.postQuery(PATH, Map.of("action", "run-now", "id", id))).bodyText()
			.isEqualTo("{\"action\":\"run-now\",\"tasks\":1}");
		assertThat(dueIn(id)).isLessThanOrEqualTo(Duration.ZERO);
		assertThat(this.client.post(PATH, Map.of("action", "cancel", "id", id))).bodyText()
			.isEqualTo("{\"action\":\"cancel\",\"tasks\":1}");
		assertThat(this.client.get(path)).hasStatus(404);
		deadLetter(id, "dead");
		assertThat(this.client.postQuery(PATH, Map.of("action", "redrive", "id", id))).bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":1}");
		assertThat(this.operations.find(QUEUE, id)).map(TaskDetails::state).contains(TaskState.SCHEDULED);
	}

	@Test
	void copyIsANewTaskThatIsRunOnce() throws Exception {
		this.operations.schedule(TaskRequest.queue(QUEUE)
			.id("whole")
			.payload(Map.of("amount", new BigDecimal("1.10"), "item", "\"书\""))
			.header("tenant", "a")
			.priority(TaskPriority.HIGH)
			.maxAttempts(2)
			.every(Duration.ofHours(1))
			.build());
		TaskDetails whole = this.operations.find(QUEUE, "whole").orElseThrow();
		TaskDetails copy = copyOf("whole");
		assertThat(copy.payloadJson()).isEqualTo(whole.payloadJson()).contains("1.10", "书");
		assertThat(copy.headers()).isEqualTo(Map.of("tenant", "a"));
		assertThat(copy.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(copy.recurrence()).isNull();
		assertThat(dueIn(copy.id())).isLessThanOrEqualTo(Duration.ZERO);
		assertThat(new String(this.store.find(QUEUE, copy.id()).orElseThrow().envelope(), StandardCharsets.UTF_8))
			.contains("\"maxAttempts\":2");
		this.operations.schedule(QUEUE, "empty", null, Duration.ofDays(1));
		assertThat(copyOf("empty").payload(String.class)).isEqualTo("empty");
		assertAnswer(this.client.post(PATH, Map.of("action", "copy", "id", "none")), 404,
				"Queue 'operated' has no task 'none'");
	}

	@Test
	void copyIsOfTheSameGroup() throws Exception {
		this.operations.clear(GROUPED);
		this.operations.schedule(TaskRequest.queue(GROUPED).id("a").with(Group.group("tenant-42")).build());
		this.client.post("/" + GROUPED, Map.of("action", "copy", "id", "a"));
		assertThat(this.operations.list(GROUPED, TaskState.SCHEDULED, 0, 10)).hasSize(2)
			.allSatisfy((task) -> assertThat(
					new String(this.store.find(GROUPED, task.id()).orElseThrow().envelope(), StandardCharsets.UTF_8))
				.endsWith(",\"q\":\"tenant-42\"}"));
	}

	@Test
	void groupsAreShownPausedAndCancelled() throws Exception {
		this.operations.clear(GROUPED);
		for (int i = 0; i < 5; i++) {
			this.operations.schedule(TaskRequest.queue(GROUPED).with(Group.group("noisy")).build());
		}
		this.operations
			.schedule(TaskRequest.queue(GROUPED).with(Group.group("租户 1")).delay(Duration.ofDays(1)).build());
		this.operations.schedule(GROUPED, "plain", null, Duration.ZERO);
		String path = "/" + GROUPED;
		assertThat(this.client.post(path, Map.of("action", "pause", "group", "租户 1"))).bodyText()
			.isEqualTo("{\"action\":\"pause\"}");
		assertThat(this.client.get(path + "/groups")).bodyText()
			.isEqualTo("{\"total\":2,\"groups\":[{\"group\":\"noisy\",\"waiting\":5,\"due\":5,\"paused\":false},"
					+ "{\"waiting\":1,\"due\":1,\"paused\":false},"
					+ "{\"group\":\"租户 1\",\"waiting\":1,\"due\":0,\"paused\":true}]}");
		assertThat(this.client.post(path, Map.of("action", "cancel", "group", "noisy", "limit", 2))).bodyText()
			.isEqualTo("{\"action\":\"cancel\",\"tasks\":2,\"remaining\":3}");
		assertThat(this.client.post(path, Map.of("action", "cancel", "group", "noisy"))).bodyText()
			.isEqualTo("{\"action\":\"cancel\",\"tasks\":3,\"remaining\":0}");
		this.client.post(path, Map.of("action", "resume", "group", "租户 1"));
		assertThat(this.client.get(path + "/groups?limit=1")).bodyText()
			.endsWith("\"groups\":[{\"waiting\":1,\"due\":1,\"paused\":false}]}");
		assertThat(this.client.get(path + "/changes?limit=1")).bodyText()
			.contains("\"action\":\"resume\",\"subject\":\"租户 1\"");
		assertThat(this.groupGauges.all()).singleElement().satisfies((gauge) -> {
			assertThat(gauge.value().applyAsDouble(GROUPED, null)).isBetween(1.0, 2.0);
			assertThat(gauge.value().applyAsDouble(QUEUE, null)).isZero();
		});
	}

	@Test
	void groupThatCannotBeIsRefused() throws Exception {
		assertThat(this.client.get(PATH + "/groups")).bodyText().isEqualTo("{\"total\":0,\"groups\":[]}");
		assertAnswer(this.client.post(PATH, Map.of("action", "pause", "group", "A")), 409,
				"Queue 'operated' has no groups: set delay-queue.queues.operated.groups.enabled");
		this.operations.schedule(GROUPED, "plain", null, Duration.ZERO);
		assertAnswer(this.client.post("/" + GROUPED, Map.of("action", "cancel", "group", "A", "id", "a")), 400,
				"'cancel' of a group does not take 'id', but group, limit");
		assertAnswer(this.client.post("/" + GROUPED, Map.of("action", "cancel", "limit", "1", "id", "a")), 400,
				"'cancel' with an id does not take 'limit', but id");
		assertThat(this.client.post("/" + GROUPED, Map.of("action", "pause", "group", "a\"b"))).hasStatus(400);
	}

	private TaskDetails copyOf(String id) throws Exception {
		RestTestClientResponse answer = this.client.post(PATH, Map.of("action", "copy", "id", id));
		assertThat(answer).bodyText().startsWith("{\"action\":\"copy\",\"tasks\":1,\"id\":\"");
		String body = new String(answer.getExchangeResult().getResponseBodyContent(), StandardCharsets.UTF_8);
		return this.operations.find(QUEUE, body.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1")).orElseThrow();
	}

	@Test
	void taskIsRescheduledToAnInstant() throws Exception {
		this.operations.schedule(QUEUE, "a", null, Duration.ofDays(1));
		assertThat(this.client.post(PATH, Map.of("action", "reschedule", "id", "a", "at", "2100-01-01T00:00:00+08:00")))
			.hasStatus(200);
		assertThat(this.operations.find(QUEUE, "a")).map(TaskDetails::dueAt)
			.contains(Instant.parse("2099-12-31T16:00:00Z"));
	}

	@Test
	void pauseHoldsUntilItIsResumed() throws Exception {
		assertThat(this.client.post(PATH, Map.of("action", "pause"))).bodyText().isEqualTo("{\"action\":\"pause\"}");
		assertThat(this.client.get(PATH)).bodyText().contains("\"paused\":true");
		assertThat(this.client.post(PATH, Map.of("action", "resume"))).hasStatus(200);
		assertThat(this.client.get(PATH)).bodyText().contains("\"paused\":false");
		assertThat(this.client.get(PATH + "/changes?limit=2")).bodyText()
			.matches("\\{\"changes\":\\[\\{\"at\":\"[^\"]*Z\",\"user\":\"anonymous\",\"action\":\"resume\"},"
					+ "\\{\"at\":\"[^\"]*Z\",\"user\":\"anonymous\",\"action\":\"pause\"}]}");
	}

	@Test
	void deadTasksAreRedrivenAndDeletedByTheirReason() throws Exception {
		IntStream.range(0, 5).forEach((i) -> deadLetter("d" + i, "dead"));
		assertThat(this.client.post(PATH, Map.of("action", "redrive", "reason", "EXPIRED"))).bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":0,\"remaining\":5}");
		assertThat(this.client.post(PATH, Map.of("action", "redrive", "reason", "dead_lettered", "limit", 2)))
			.bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":2,\"remaining\":3}");
		assertThat(this.client.post(PATH, Map.of("action", "delete", "reason", "DEAD_LETTERED"))).bodyText()
			.isEqualTo("{\"action\":\"delete\",\"tasks\":3,\"remaining\":0}");
	}

	@Test
	void deadTasksAreShownByCause() throws Exception {
		IntStream.range(0, 5).forEach((i) -> deadLetter("d" + i, "Order " + i + " is unknown"));
		deadLetter("other", "The bank said no");
		assertThat(this.client.get(PATH + "/dead")).bodyText()
			.matches("\\{\"tasks\":6,\"complete\":true,\"causes\":\\[\\{\"cause\":\"[0-9a-f]{16}\",\"tasks\":5,"
					+ "\"first\":\"[^\"]*\",\"last\":\"[^\"]*\",\"lastId\":\"d4\",\"failure\":\\{\"reason\":\"DEAD_LETTERED\","
					+ "\"message\":\"Order 4 is unknown\".*The bank said no.*\"others\":0}");
		String cause = cause("Order 7 is unknown");
		RestTestClientResponse page = this.client.get(PATH + "/tasks?state=dead&limit=3&cause=" + cause);
		assertThat(ids(page)).containsExactly("d0", "d1", "d2");
		assertThat(ids(this.client
			.get(PATH + "/tasks?state=DEAD&limit=3&cause=" + cause + "&cursor=" + EndpointClient.encode(cursor(page)))))
			.containsExactly("d3", "d4");
		assertThat(ids(this.client.get(PATH + "/tasks?state=DEAD&cause=none"))).isEmpty();
		assertAnswer(this.client.get(PATH + "/tasks?cause=" + cause), 400, "Only dead letters have a cause");
		assertAnswer(this.client.get(PATH + "/dead?limit=5"), 400, "'dead' does not take 'limit', but nothing");
	}

	@Test
	void deadTasksOfACauseAreRedrivenSomeAtATimeAndSpread() throws Exception {
		IntStream.range(0, 5).forEach((i) -> deadLetter("d" + i, "Order " + i + " is unknown"));
		deadLetter("other", "The bank said no");
		Map<String, Object> body = Map.of("action", "redrive", "cause", cause("Order 7 is unknown"), "limit", 3,
				"delay", "1m", "spread", "3m");
		RestTestClientResponse first = this.client.post(PATH, body);
		assertThat(first).bodyText().startsWith("{\"action\":\"redrive\",\"tasks\":3,\"remaining\":3,\"cursor\":\"");
		for (int i = 0; i < 3; i++) {
			assertThat(dueIn("d" + i)).isCloseTo(Duration.ofMinutes(1 + i), Duration.ofSeconds(30));
		}
		Map<String, Object> next = new HashMap<>(body);
		next.put("cursor", cursor(first));
		assertThat(this.client.post(PATH, next)).bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":2,\"remaining\":1}");
		assertThat(this.client.post(PATH, Map.of("action", "redrive", "id", "other", "delay", "5m"))).bodyText()
			.isEqualTo("{\"action\":\"redrive\",\"tasks\":1}");
		assertThat(dueIn("other")).isCloseTo(Duration.ofMinutes(5), Duration.ofSeconds(30));
	}

	@Test
	void deadTasksOfACauseArePurgedUpToAnInstant() throws Exception {
		deadLetter("d0", "Order 0 is unknown");
		deadLetter("other", "The bank said no");
		Instant until = this.operations.find(QUEUE, "other").orElseThrow().stateAt();
		await().until(() -> Instant.now().toEpochMilli() > until.toEpochMilli());
		deadLetter("d1", "Order 1 is unknown");
		Map<String, Object> body = Map.of("action", "delete", "cause", cause("Order 7 is unknown"), "until",
				until.toString());
		assertThat(this.client.post(PATH, body)).bodyText().startsWith("{\"action\":\"delete\",\"tasks\":1,");
		assertThat(this.operations.find(QUEUE, "d0")).isEmpty();
		assertThat(this.operations.find(QUEUE, "other")).isPresent();
	}

	@Test
	void taskThatIsOverIsDeletedAndNoOther() throws Exception {
		deadLetter("dead", "dead");
		assertThat(this.client.post(PATH, Map.of("action", "delete", "id", "dead"))).bodyText()
			.isEqualTo("{\"action\":\"delete\",\"tasks\":1}");
		assertThat(this.client.post(PATH, Map.of("action", "delete", "id", "dead"))).hasStatus(404);
		this.operations.schedule(QUEUE, "waiting", null, Duration.ofDays(1));
		assertAnswer(this.client.post(PATH, Map.of("action", "delete", "id", "waiting")), 409,
				"Task 'waiting' of queue '" + QUEUE + "' is SCHEDULED, to which 'delete' does not apply");
	}

	@Test
	void instancesAreAViewOfTheRootSoThatAQueueMayHaveTheirName() {
		this.operations.schedule("instances", "t1", "payload", Duration.ofHours(1));
		assertThat(this.client.get("/instances")).hasStatus(200).bodyText().startsWith("{\"waiting\":1,");
		String self = this.registry.getInstance();
		await().untilAsserted(() -> assertThat(this.client.get("?view=instances")).hasStatus(200)
			.bodyText()
			.startsWith("{\"instances\":[{\"id\":\"")
			.contains("{\"id\":\"" + self + "\",\"state\":\"RUNNING\",\"self\":true,\"host\":\"",
					"\"listeners\":[{\"queue\":\"", "\"id\":\"ears\",\"running\":true,"));
		assertThat(this.client.get("/listened")).bodyText()
			.contains("\"instances\":[{\"id\":\"", "\"id\":\"" + self + "\"");
		assertThat(this.client.get("")).bodyText().doesNotContain("\"instances\":[");
		assertAnswer(this.client.get("?view=others"), 400, "The view of all queues must be: instances");
		assertAnswer(this.client.get("?view=instances&limit=7"), 400,
				"The view of instances does not take 'limit', but view");
		this.operations.clear("instances");
	}

	@Test
	void listenerIsStoppedAndStarted() throws Exception {
		String path = "/listened";
		assertStops(Map.of("action", "stop", "listener", "ears"));
		assertThat(this.registry.get("ears").isRunning()).isFalse();
		assertThat(this.client.post(path, Map.of("action", "start", "listener", "ears"))).bodyText()
			.startsWith("{\"action\":\"start\",\"listener\":{\"id\":\"ears\",\"running\":true,");
		assertThat(this.registry.get("ears").isRunning()).isTrue();
		assertAnswer(this.client.post(path, Map.of("action", "stop", "listener", "eyes")), 404,
				"Queue 'listened' has no listener 'eyes' in this instance, but [ears]");
		assertAnswer(this.client.post(PATH, Map.of("action", "stop", "listener", "ears")), 404,
				"Queue 'operated' has no listener 'ears' in this instance, but []");
	}

	@Test
	void taskThatIsNotThereIsNotFound() throws Exception {
		String sentence = "Queue 'operated' has no task 'a/b'";
		assertAnswer(this.client.get(PATH + "/tasks?id=a/b"), 404, sentence);
		for (String action : List.of("run-now", "cancel", "redrive")) {
			assertAnswer(this.client.post(PATH, Map.of("action", action, "id", "a/b")), 404, sentence);
		}
		assertAnswer(this.client.post(PATH, Map.of("action", "reschedule", "id", "a/b", "delay", "1s")), 404, sentence);
	}

	@Test
	void queueOrViewThatIsNotThereIsNotFound() throws Exception {
		assertAnswer(this.client.get("/nothing"), 404, "There is no queue 'nothing'");
		assertAnswer(this.client.get("/nothing/tasks"), 404, "There is no queue 'nothing'");
		assertAnswer(this.client.post("/nothing", Map.of("action", "pause")), 404, "There is no queue 'nothing'");
		assertAnswer(this.client.get(PATH + "/nothing"), 404,
				"The views of a queue are: changes, dead, forecast, groups, history, search, tasks, times");
	}

	@Test
	void taskInAStateThatAnActionIsNotForIsAConflict() throws Exception {
		deadLetter("dead", "dead");
		this.operations.schedule(QUEUE, "waiting", null, Duration.ofDays(1));
		assertAnswer(this.client.post(PATH, Map.of("action", "run-now", "id", "dead")), 409,
				"Task 'dead' of queue 'operated' is DEAD, to which 'run-now' does not apply");
		assertAnswer(this.client.post(PATH, Map.of("action", "cancel", "id", "dead")), 409,
				"Task 'dead' of queue 'operated' is DEAD, to which 'cancel' does not apply");
		assertAnswer(this.client.post(PATH, Map.of("action", "redrive", "id", "waiting")), 409,
				"Task 'waiting' of queue 'operated' is SCHEDULED, to which 'redrive' does not apply");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			state=LOST              | The state must be one of: SCHEDULED, IN_FLIGHT, COMPLETED, DEAD, DUE
			offset=-1               | The offset must be a number from 0 to 10000
			offset=10001            | The offset must be a number from 0 to 10000
			offset=99999999999      | The offset must be a number from 0 to 10000
			limit=0                 | The limit must be a number from 1 to 500
			limit=501               | The limit must be a number from 1 to 500
			limit=many              | The limit must be a number from 1 to 500
			id=                     | 'id' is missing
			id=a%00b                | The id of a task must not contain control characters
			id=a&limit=5            | 'tasks' with an id does not take 'limit', but id
			cursor=x                | 'tasks' of a state does not take 'cursor', but limit, offset, state
			""")
	void argumentOfTasksThatIsNotAllowedIsABadRequest(String query, String sentence) throws Exception {
		assertAnswer(this.client.get(PATH + "/tasks?" + query), 400, sentence);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					"action":"cancel"                         | 'id' is missing
					"action":"cancel","id":""                 | 'id' is missing
					"action":"pause","id":"a"                 | 'pause' does not take 'id', but group
					"action":"delete","id":"a","state":"DEAD"  | 'delete' with an id does not take 'state', but id
					"action":"delete","state":"SCHEDULED"      | The state must be one of: DEAD, COMPLETED
					"action":"delete","reason":"BAD_LUCK"      | The reason must be one of: ATTEMPTS_EXHAUSTED, NOT_RETRYABLE, DEAD_LETTERED, LEASES_EXHAUSTED, EXPIRED, UNREADABLE, RECOVERED
					"action":"delete","state":"COMPLETED","reason":"DEAD_LETTERED" | Only dead letters have a reason
					"action":"delete"                         | 'delete' needs an id, or the state, the reason or the cause of the tasks
					"action":"delete","state":"DEAD","limit":10001 | The limit must be a number from 1 to 10000
					"action":"redrive","limit":"all"          | The limit must be a number from 1 to 10000
					"action":"reschedule","id":"a"            | To reschedule takes either 'delay' or 'at'
					"action":"reschedule","id":"a","delay":"1s","at":"2100-01-01T00:00:00Z" | To reschedule takes either 'delay' or 'at'
					"action":"reschedule","id":"a","delay":"soon" | The delay must be a duration as 10m, PT1H30M or, in milliseconds, 500
					"action":"reschedule","id":"a","delay":"99999999999999999999d" | The delay must be a duration as 10m, PT1H30M or, in milliseconds, 500
					"action":"reschedule","id":"a","at":"2100-01-01" | 'at' must be a date and time with an offset, as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00+01:00
					"action":"redrive","cause":"x"            | The cause must be one that 'dead' shows: sixteen hexadecimal digits, or none
					"action":"redrive","cause":"none","reason":"DEAD_LETTERED" | Either a reason or a cause: some tasks at a time are selected by their cause
					"action":"redrive","cause":"none","limit":501 | The limit must be a number from 1 to 500
					"action":"redrive","cause":"none","until":"now" | 'until' must be a date and time with an offset, as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00+01:00
					"action":"redrive","cause":"none","until":"-999999999-01-01T00:00:00Z" | 'until' must be a date and time with an offset, as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00+01:00
					"action":"reschedule","id":"a","at":"+999999999-12-31T23:59:59Z" | 'at' must be a date and time with an offset, as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00+01:00
					"action":"redrive","cause":"none","spread":"25h" | Delay and spread must not be negative, and have to end within 24 hours
					"action":"redrive","cause":"none","spread":"long" | The spread must be a duration as 10m, PT1H30M or, in milliseconds, 500
					"action":"redrive","cause":"none","cursor":"x" | The cursor is not one that was returned; leave it out to begin anew
					"action":"redrive","id":"a","limit":3     | 'redrive' with an id does not take 'limit', but delay, id
					"action":"redrive","id":"a","spread":"1m" | 'redrive' with an id does not take 'spread', but delay, id
					"action":"redrive","id":"a","delay":"-1s" | Delay and spread must not be negative, and have to end within 24 hours
					"action":"delete","cause":"none","state":"COMPLETED" | Only dead letters have a cause
					"action":"stop"                           | 'listener' is missing
					"action":"stop","listener":"any","instance":"other" | 'stop' does not take 'instance', but listener
					"action":"redrive","limt":5               | 'redrive' does not take 'limt', but cause, cursor, delay, id, limit, reason, spread, until
					""")
	void argumentOfAnActionThatIsNotAllowedIsABadRequest(String body, String sentence) throws Exception {
		deadLetter("a", "dead");
		assertAnswer(this.client.post(PATH, "{" + body + "}"), 400, sentence);
		assertThat(this.operations.stats(QUEUE).dead()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"action\":", "[]", "7", "{\"action\":[\"pause\"]}" })
	void bodyThatIsNoObjectOfTextsIsABadRequest(String body) {
		assertThat(this.client.post(PATH, body)).hasStatus(400);
		assertThat(this.operations.stats(QUEUE).paused()).isFalse();
	}

	/** The answer does not wait long for a listener that takes its time to stop. */
	private void assertStops(Map<String, String> order) {
		await().untilAsserted(() -> assertThat(this.client.post("/listened", order)).bodyText()
			.startsWith("{\"action\":\"stop\",\"listener\":{\"id\":\"ears\",\"running\":false,"));
	}

	@Test
	void argumentInTheAddressOfAnActionThatItDoesNotTakeIsABadRequest() throws Exception {
		assertAnswer(this.client.post(PATH + "?limt=5&limt=6", "{\"action\":\"resume\"}"), 400,
				"'limt' must be one text or number");
		assertAnswer(this.client.post(PATH + "?limt=5", "{\"action\":\"resume\"}"), 400,
				"'resume' does not take 'limt', but group");
	}

	private void deadLetter(String id, String reason) {
		this.operations.schedule(QUEUE, id, "payload", Duration.ZERO);
		assertThat(this.operations.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter(reason)).isTrue();
	}

	private static String cause(String message) {
		return new TaskFailure(DeadReason.DEAD_LETTERED, null, message, Instant.EPOCH).cause();
	}

	private static String cursor(RestTestClientResponse response) {
		String body = new String(response.getExchangeResult().getResponseBodyContent(), StandardCharsets.UTF_8);
		assertThat(body).contains("\"cursor\":\"");
		return body.substring(body.indexOf("\"cursor\":\"") + 10, body.lastIndexOf('"'));
	}

	private Duration dueIn(String id) {
		return Duration.between(Instant.now(), this.operations.find(QUEUE, id).orElseThrow().dueAt());
	}

	private static List<String> ids(RestTestClientResponse response) {
		assertThat(response).hasStatus(200);
		List<String> ids = new ArrayList<>();
		String body = new String(response.getExchangeResult().getResponseBodyContent(), StandardCharsets.UTF_8);
		for (String part : body.split("\\{\"id\":\"")) {
			ids.add(part.substring(0, part.indexOf('"')));
		}
		return ids.subList(1, ids.size());
	}

	private static void assertAnswer(RestTestClientResponse response, int status, String sentence) {
		assertThat(response).hasStatus(status).bodyText().isEqualTo("{\"error\":\"" + sentence + "\"}");
	}

	/** Whose tasks nobody looks at. */
	static class Ears {

		@DelayQueueListener(queue = "listened", id = "ears")
		void hear(String payload) {
		}

	}

}
