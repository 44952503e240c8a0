package io.github.delayqueue.observation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.bulk.BulkCalls;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.polling.PollingTemplates;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link DelayQueueObservations}.
 */
class DelayQueueObservationsTests {

	private static final Duration LINK_AFTER = Duration.ofMinutes(1);

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final RecordingHandler recorded = new RecordingHandler();

	private final DelayQueueObservations observations = new DelayQueueObservations(
			new StaticListableBeanFactory(Map.of("registry", this.registry)), LINK_AFTER);

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final DelayQueueTemplate template = template(this.observations);

	@AfterEach
	void endThreads() {
		this.template.destroy();
	}

	@Test
	void notActiveAsLongAsNobodyListens() {
		assertThat(this.observations.isActive()).isFalse();
		this.registry.observationConfig().observationHandler(this.recorded);
		assertThat(this.observations.isActive()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyCallThatSchedulesGivesItsContextToTheTask(Function<DelayQueueOperations, Object> call) {
		this.registry.observationConfig().observationHandler(this.recorded);
		call.apply(this.template);
		assertThat(poll()).isNotEmpty()
			.allSatisfy((task) -> assertThat(task.headers()).contains(entry("traceparent", "context 1")));
		assertThat(this.recorded.stopped).singleElement().returns("delay.queue.schedule", Observation.Context::getName);
	}

	static List<Function<DelayQueueOperations, Object>> calls() {
		Duration delay = Duration.ZERO;
		TaskRequest request = TaskRequest.queue("a").payload("p").header("tenant", "b").build();
		return List.of((queue) -> queue.schedulePayload("a", "p", delay),
				(queue) -> queue.schedulePayload("a", "p", Instant.EPOCH),
				(queue) -> queue.schedule("a", "1", "p", delay),
				(queue) -> queue.schedule("a", "1", "p", Instant.EPOCH), (queue) -> queue.schedule(request),
				(queue) -> queue.scheduleAsync(request).join(),
				(queue) -> queue.scheduleAll(List.of(request, request, request)));
	}

	@Test
	void headersOfTheApplicationStay() {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.template.schedule(TaskRequest.queue("a").header("tenant", "b").build());
		assertThat(poll().get(0).headers()).containsOnly(entry("tenant", "b"), entry("traceparent", "context 1"));
	}

	@Test
	void contextThatATaskComesWithStays() {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.template.schedule(TaskRequest.queue("a").header("traceparent", "of another").build());
		assertThat(poll().get(0).headers()).containsOnly(entry("traceparent", "of another"));
	}

	@Test
	void taskThatIsToWaitLongIsToBeLinked() {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.template.schedule("a", "1", "p", LINK_AFTER);
		this.template.schedule("a", "2", "p", LINK_AFTER.plusMillis(1));
		this.template.schedule("a", "3", "p", Instant.now().plus(Duration.ofHours(1)));
		this.clock.advance(Duration.ofDays(36_500));
		assertThat(poll()).extracting(ClaimedTask::id, (task) -> task.headers().containsKey("delay-queue-trace"))
			.containsExactlyInAnyOrder(tuple("1", false), tuple("2", true), tuple("3", true));
	}

	@Test
	void callThatFailsEndsWithItsError() {
		this.registry.observationConfig().observationHandler(this.recorded);
		List<Object> withoutEnd = new ArrayList<>();
		withoutEnd.add(withoutEnd);
		TaskRequest request = TaskRequest.queue("a").payload(withoutEnd).build();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.template.schedule(request));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.scheduleAll(List.of(request)));
		assertThat(this.template.scheduleAsync(request)).isCompletedExceptionally();
		assertThat(this.recorded.stopped).hasSize(3)
			.allSatisfy((context) -> assertThat(context.getError()).isInstanceOf(DelayQueueException.class));
	}

	@Test
	void typeOfAnErrorIsAKeyOfSpans() {
		this.registry.observationConfig().observationHandler(this.recorded);
		ObservedDelivery failed = this.observations.deliver("a", List.of(task(Map.of())));
		failed.end(Set.of(DeliveryOutcome.RETRY), new IllegalStateException());
		this.observations.deliver("a", List.of(task(Map.of()))).end(Set.of(DeliveryOutcome.SUCCESS), null);
		this.observations.observe("a", 1).end("1", new IllegalArgumentException());
		assertThat(this.recorded.stopped).extracting((context) -> context.getHighCardinalityKeyValue("error.type"))
			.containsExactly(KeyValue.of("error.type", IllegalStateException.class.getName()), null,
					KeyValue.of("error.type", IllegalArgumentException.class.getName()));
	}

	@Test
	void callForSeveralQueuesIsOneObservation() {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.template.scheduleAll(List.of(TaskRequest.queue("a").build(), TaskRequest.queue("b").build()));
		assertThat(this.recorded.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getContextualName()).isEqualTo("schedule");
			assertThat(context.getLowCardinalityKeyValue("messaging.destination.name").getValue()).isEqualTo("none");
			assertThat(context.getHighCardinalityKeyValue("messaging.batch.message_count").getValue()).isEqualTo("2");
		});
	}

	@Test
	void handlersThatThrowDoNotAffectTasks() {
		this.registry.observationConfig().observationHandler(new FailingHandler());
		this.template.schedulePayload("a", "p", Duration.ZERO);
		this.template.scheduleAsync(TaskRequest.queue("a").build()).join();
		this.template.scheduleAll(List.of(TaskRequest.queue("a").build()));
		assertThat(poll()).hasSize(3);
		ObservedDelivery delivery = this.observations.deliver("a", List.of(task(Map.of())));
		delivery.open().close();
		delivery.end(Set.of(), new IllegalStateException());
	}

	@ParameterizedTest
	@ValueSource(strings = { "open", "close", "stop" })
	void threadKeepsNothingOfAnObservationWhoseHandlerFails(String failing) {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.registry.observationConfig().observationHandler(new FailingHandler(failing));
		this.template.schedulePayload("a", "p", Duration.ZERO);
		assertThat(poll()).hasSize(1);
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		// a handler that does not close keeps Micrometer from calling those before it
		assertThat(this.recorded.scopes).isEqualTo(failing.equals("close") ? 1 : 0);
	}

	@ParameterizedTest
	@EnumSource(DeliveryOutcome.class)
	void outcomeIsAKey(DeliveryOutcome outcome) {
		assertThat(outcome(Set.of(outcome))).isEqualTo(outcome.name().toLowerCase(Locale.ROOT));
	}

	@Test
	void tasksHandedBackHaveNoOutcome() {
		assertThat(outcome(Set.of())).isEqualTo("released");
	}

	@Test
	void severalTasksAreLinkedWhateverTheyWaitedFor() {
		assertThat(new ProcessObservationContext("a", List.of(task(Map.of()), task(Map.of()))).isLinked()).isTrue();
		assertThat(new ProcessObservationContext("a", List.of(task(Map.of()))).isLinked()).isFalse();
		assertThat(new ProcessObservationContext("a", List.of(task(Map.of("delay-queue-trace", "link")))).isLinked())
			.isTrue();
	}

	@Test
	void keysHaveTheNamesOfTheMessagingConventions() {
		Set<String> tags = Set.of("messaging.system", "messaging.destination.name", "messaging.operation.name",
				"messaging.operation.type");
		this.registry.observationConfig().observationHandler(this.recorded);
		this.template.schedulePayload("a", "p", Duration.ZERO);
		this.observations.deliver("a", List.of(task(Map.of()))).end(Set.of(), null);
		assertThat(keys(0, true)).isEqualTo(tags);
		assertThat(keys(0, false)).containsExactly("messaging.message.id");
		assertThat(keys(1, true)).containsAll(tags).hasSize(tags.size() + 1).contains("delay_queue.outcome");
		assertThat(keys(1, false)).containsExactlyInAnyOrder("messaging.message.id", "delay_queue.task.attempt",
				"delay_queue.task.leases_lost", "delay_queue.task.due_at");
	}

	private Set<String> keys(int index, boolean low) {
		Observation.Context context = this.recorded.stopped.get(index);
		return (low ? context.getLowCardinalityKeyValues() : context.getHighCardinalityKeyValues()).stream()
			.map(KeyValue::getKey)
			.collect(Collectors.toSet());
	}

	private String outcome(Set<DeliveryOutcome> outcomes) {
		this.registry.observationConfig().observationHandler(this.recorded);
		this.observations.deliver("a", List.of(task(Map.of()))).end(outcomes, null);
		return this.recorded.stopped.get(0).getLowCardinalityKeyValue("delay_queue.outcome").getValue();
	}

	private DelayQueueTemplate template(TaskObserver observer) {
		return PollingTemplates.create(new InMemoryTaskStore(this.clock), Codecs.create(),
				new TaskEvents(Collections::emptyList, observer), (queue) -> QueueOptions.DEFAULTS, new BulkCalls());
	}

	private List<ClaimedTask> poll() {
		return this.template.poll("a", 100, Duration.ofMinutes(1));
	}

	private static DelayedTask<?> task(Map<String, String> headers) {
		return new DelayedTask<>("a", "1", "payload", headers, TaskPriority.NORMAL, Clock.systemUTC().instant(), 0, 0);
	}

	private static final class RecordingHandler implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> stopped = new ArrayList<>();

		private List<KeyValue> startedWith = List.of();

		private int started;

		private int scopes;

		@Override
		public void onScopeOpened(Observation.Context context) {
			this.scopes++;
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			this.scopes--;
		}

		@Override
		public void onStart(Observation.Context context) {
			this.started++;
			this.startedWith = context.getLowCardinalityKeyValues().stream().toList();
			if (context instanceof SenderContext<?> sender) {
				inject(sender);
			}
		}

		private <C> void inject(SenderContext<C> context) {
			context.getSetter().set(context.getCarrier(), "traceparent", "context " + this.started);
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	/**
	 * Fails at what is named, and with none at everything.
	 */
	private record FailingHandler(String... failing) implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			fail("start");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			fail("open");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			fail("close");
		}

		@Override
		public void onError(Observation.Context context) {
			fail("error");
		}

		@Override
		public void onStop(Observation.Context context) {
			fail("stop");
		}

		private void fail(String at) {
			if (this.failing.length == 0 || List.of(this.failing).contains(at)) {
				throw new IllegalStateException(at);
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
