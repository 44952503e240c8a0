package io.github.delayqueue.listener;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.DeadLetter;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Contents;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Dead tasks of which somebody handles the dead letters, in any store.
 */
public abstract class AbstractDeadLetterTests {

	static final Retention KEPT = new Retention(Duration.ZERO, null, null);

	/** For those that died elsewhere. */
	private static final QueueOptions POLLING = ListenerFixture.settings(Duration.ofMillis(50), KEPT, null);

	private final String queue = "orders-" + UUID.randomUUID();

	private final String letters = this.queue + ":dead-letters";

	private final TaskCodec codec = new TaskCodec(JsonMapper.builder().build());

	private final Queue<Handled> handled = new ConcurrentLinkedQueue<>();

	private TaskStore store;

	private FaultyTaskStore faulty;

	private ListenerFixture instance;

	/**
	 * The store, with the names of queues that are used nowhere else.
	 */
	protected abstract TaskStore store();

	private record Handled(String payload, String taskId, TaskFailure failure, Map<String, String> headers) {

	}

	@BeforeEach
	void open() {
		this.store = store();
		this.faulty = new FaultyTaskStore(this.store);
		this.instance = new ListenerFixture(this.faulty, POLLING);
	}

	@AfterEach
	protected void close() {
		this.instance.close();
	}

	@Test
	void deathInTheSameApplicationIsHandledWithoutPolling() {
		try (ListenerFixture other = new ListenerFixture(this.store,
				ListenerFixture.settings(ListenerFixture.FOR_EVER, KEPT, null))) {
			listen(other);
			await().until(() -> container(other).status().lastPollAt() != null);
			other.register(this.queue, (task, context) -> TaskResult.bury("nobody wants it"),
					ListenerOptions.defaults());
			other.schedule(this.queue, "a", "payload", Duration.ZERO);
			await().until(() -> this.handled.size() == 1);
		}
		assertThat(this.handled.element().failure()).returns(DeadReason.BURIED, TaskFailure::reason)
			.returns("nobody wants it", TaskFailure::message);
	}

	@Test
	void deadLetterHasPayloadHeadersIdAndFailureOfTheTaskAndIsGoneWhenItIsHandled() {
		TaskOptions recurring = TaskOptions.NONE.withRecurrence(Recurrence.every(Duration.ofHours(1)));
		byte[] envelope = this.codec.writeEnvelope(this.queue, "a", new Payload("payload", null),
				Map.of("tenant", "one"), recurring, 1000);
		die("a", envelope, "broken");
		listen(this.instance);
		await().until(() -> this.handled.size() == 1);
		assertThat(this.handled.element()).returns("payload", Handled::payload)
			.returns("a", Handled::taskId)
			.satisfies((letter) -> assertThat(letter.headers()).containsEntry("tenant", "one"))
			.satisfies((letter) -> assertThat(letter.failure().message()).isEqualTo("broken"));
		assertNothingIsLeft();
	}

	@Test
	void taskWithoutPayloadBringsItsIdAndOneWithoutAFailureSaysSo() {
		byte[] envelope = this.codec.writeEnvelope(this.queue, "a", null, Map.of(), TaskOptions.NONE, 1000);
		die("a", envelope, null);
		listen(this.instance);
		await().until(() -> this.handled.size() == 1);
		assertThat(this.handled.element()).returns("a", Handled::payload)
			.satisfies((letter) -> assertThat(letter.failure().message()).isEqualTo("None is kept"));
	}

	@Test
	void idThatLeavesNoRoomForTheTimeOfDeathIsHandledAllTheSame() {
		String id = "x".repeat(256);
		die(id, "payload");
		listen(this.instance);
		await().until(() -> this.handled.size() == 1);
		assertThat(this.handled.element().taskId()).isEqualTo(id);
	}

	@Test
	void handlerThatFailsIsTriedAgain() {
		die("a", "payload");
		this.instance.registry().register(endpoint((deliveries) -> {
			note(deliveries);
			return CompletableFuture.completedFuture(List
				.of((this.handled.size() < 3) ? TaskResult.failed(new IllegalStateException()) : TaskResult.done()));
		}, ListenerFixture.attempts(5).build()));
		await().until(() -> this.handled.size() == 3);
		assertNothingIsLeft();
	}

	@Test
	void processThatDiesBeforeTheDeadTaskIsRemovedLosesNothing() {
		this.faulty.fail(Step.PURGE);
		die("a", "payload");
		listen(this.instance);
		await().until(() -> this.faulty.calls(Step.PURGE) > 1);
		assertThat(dead(this.queue)).extracting(StoredTask::id).containsExactly("a");
		assertThat(this.handled).isNotEmpty();
		this.instance.close();
		this.handled.clear();
		try (ListenerFixture other = new ListenerFixture(this.store, POLLING)) {
			listen(other);
			await().until(() -> !this.handled.isEmpty());
			assertNothingIsLeft();
		}
	}

	@Test
	void answerThatIsLostWhenItWasScheduledLosesNothing() {
		this.faulty.loseAnswers(Step.SCHEDULE);
		die("a", "payload");
		this.store.setPaused(this.letters, true);
		listen(this.instance);
		await().until(() -> this.faulty.calls(Step.SCHEDULE) > 2);
		assertThat(this.store.stats(this.letters).scheduled()).isEqualTo(1);
		this.faulty.heal();
		await().until(() -> dead(this.queue).isEmpty());
		this.store.setPaused(this.letters, false);
		await().until(() -> this.handled.size() == 1);
		assertNothingIsLeft();
	}

	@Test
	void secondDeathIsHandledToo() {
		this.store.setPaused(this.letters, true);
		listen(this.instance);
		die("a", "first");
		await().until(() -> dead(this.queue).isEmpty());
		die("a", "second");
		await().until(() -> dead(this.queue).isEmpty());
		this.store.setPaused(this.letters, false);
		await().until(() -> this.handled.size() == 2);
		assertThat(this.handled).extracting(Handled::payload).containsExactlyInAnyOrder("first", "second");
		assertNothingIsLeft();
	}

	@Test
	void deathThatTookPlaceWhileAnEarlierOneWasMovedIsNotRemovedWithIt() {
		die("a", "first");
		AtomicBoolean again = new AtomicBoolean();
		this.faulty.after(Step.SCHEDULE, () -> {
			if (again.compareAndSet(false, true)) {
				die("a", "second");
			}
		});
		listen(this.instance);
		await().until(() -> this.handled.size() == 2);
		assertThat(this.handled).extracting(Handled::payload).containsExactlyInAnyOrder("first", "second");
		assertNothingIsLeft();
	}

	@Test
	void severalInstancesMoveAllOfThem() {
		List<String> ids = IntStream.range(0, 70).mapToObj((i) -> "task-" + i).toList();
		ids.forEach((id) -> die(id, id));
		try (ListenerFixture other = new ListenerFixture(this.store, POLLING)) {
			listen(this.instance);
			listen(other);
			await().until(() -> this.handled.stream().map(Handled::payload).distinct().count() == ids.size());
			assertNothingIsLeft();
		}
	}

	@Test
	void payloadThatCannotBeReadStaysAsADeadLetter() {
		die("a", this.codec.writeEnvelope(this.queue, "a", new Payload(Map.of("number", 1), null), Map.of(),
				TaskOptions.NONE, 1000), "broken");
		listen(this.instance);
		await().until(() -> !dead(this.letters).isEmpty());
		byte[] failure = dead(this.letters).get(0).failure();
		assertThat(this.codec.readFailure(failure).reason()).isEqualTo(DeadReason.UNREADABLE);
		await().until(() -> dead(this.queue).isEmpty());
		assertThat(this.handled).isEmpty();
	}

	@Test
	void whatIsNoTaskStaysWhereItIsAndHidesNoOther() {
		for (int i = 0; i < 45; i++) {
			die("no-task-" + i, "{}".getBytes(StandardCharsets.UTF_8), "broken");
		}
		die("a", "payload");
		listen(this.instance);
		await().until(() -> this.handled.size() == 1);
		await().until(() -> this.store.stats(this.queue).dead() == 45);
		int lists = this.faulty.calls(Step.LIST);
		await().until(() -> this.faulty.calls(Step.LIST) > lists + 4);
		die("b", "payload");
		await().until(() -> this.handled.size() == 2);
		await().until(() -> this.store.stats(this.queue).dead() == 45);
	}

	@Test
	void nothingIsMovedWhileTheListenerIsStopped() {
		die("a", "payload");
		listen(this.instance);
		await().until(() -> this.handled.size() == 1);
		container(this.instance).stop();
		die("b", "payload");
		this.instance.registry().moveDeadLetters();
		assertThat(dead(this.queue)).extracting(StoredTask::id).containsExactly("b");
		container(this.instance).start();
		await().until(() -> this.handled.size() == 2);
	}

	private void listen(ListenerFixture application) {
		application.registry().register(endpoint(this::handle, ListenerOptions.defaults()));
	}

	private DelayQueueListenerEndpoint endpoint(DeliveryHandler handler, ListenerOptions options) {
		return DelayQueueListenerEndpoint.ofDeadLetters("letters", this.queue, String.class, handler, options,
				"a handler of a test");
	}

	private CompletableFuture<List<TaskResult>> handle(List<Delivery<?>> deliveries) {
		note(deliveries);
		return CompletableFuture.completedFuture(List.of(TaskResult.done()));
	}

	private void note(List<Delivery<?>> deliveries) {
		deliveries.forEach((delivery) -> this.handled
			.add(new Handled((String) delivery.task().payload(), delivery.task().headers().get(DeadLetter.TASK_ID),
					DeadLetter.failure(delivery.task().headers()), delivery.task().headers())));
	}

	private static DelayQueueListenerContainer container(ListenerFixture application) {
		return application.registry().get("letters");
	}

	private void die(String id, String payload) {
		die(id, this.codec.writeEnvelope(this.queue, id, new Payload(payload, null), Map.of(), TaskOptions.NONE, 1000),
				"broken");
	}

	/** As somebody does who consumes the queue elsewhere. */
	private void die(String id, byte[] envelope, String message) {
		byte[] failure = (message != null)
				? this.codec.writeFailure(new TaskFailure(DeadReason.BURIED, null, message, Instant.now())) : null;
		this.store.schedule(this.queue, List
			.of(new NewTask(id, envelope, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, DuplicatePolicy.REPLACE)));
		int buried = 0;
		for (String partition : this.store.partitions(this.queue)) {
			String token = UUID.randomUUID().toString();
			List<Settlement> burials = this.store.claim(partition, ClaimRequest.of(token, 1, Duration.ofSeconds(30)))
				.tasks()
				.stream()
				.map(ClaimedRecord::id)
				.map((claimed) -> Settlement.bury(claimed, token, true, failure))
				.toList();
			buried += burials.isEmpty() ? 0 : Collections.frequency(this.store.settle(partition, burials), true);
		}
		assertThat(buried).isEqualTo(1);
	}

	private List<StoredTask> dead(String of) {
		return this.store.list(of, TaskState.DEAD, 0, 100, Contents.NONE);
	}

	private void assertNothingIsLeft() {
		await().untilAsserted(() -> assertThat(List.of(this.queue, this.letters)).allSatisfy((name) -> {
			assertThat(this.store.stats(name).dead()).as(name).isZero();
			assertThat(this.store.stats(name).scheduled()).as(name).isZero();
			assertThat(this.store.stats(name).inFlight()).as(name).isZero();
		}));
	}

}
