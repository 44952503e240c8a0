package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TaskRequest}.
 */
class TaskRequestTests {

	private static final Duration LEAST = Duration.ofSeconds(Long.MIN_VALUE);

	@Test
	void nullIsNoPayloadSoThatTheHandlerGetsTheId() {
		assertThat(TaskRequest.queue("q").payload(null).build().toPayload()).isNull();
		assertThat(TaskRequest.queue("q").payload("former").payload(null).build().toPayload()).isNull();
		assertThat(TaskRequest.queue("q").payload(null, new ParameterizedTypeReference<List<String>>() {
		}).build().toPayload()).isNull();
	}

	@Test
	void payloadOfAGivenTypeIsStoredWithWhatItsHandlerNeeds() {
		ProducerFixture fixture = new ProducerFixture();
		List<Sound> sounds = List.of(new Bark(3));
		ParameterizedTypeReference<List<Sound>> type = new ParameterizedTypeReference<>() {
		};
		fixture.template.schedule(TaskRequest.queue("q").id("a").payload(sounds, type).build());
		Envelope envelope = fixture.codec.readEnvelope(fixture.store.find("q", "a").orElseThrow().envelope());
		assertThat(fixture.codec.readPayload("q", "a", envelope, type.getType())).isEqualTo(sounds);
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(Bark.class))
	interface Sound {

	}

	record Bark(int times) implements Sound {

	}

	@ParameterizedTest
	@MethodSource("impossible")
	void refusesWhatIsNotPossible(UnaryOperator<TaskRequest.Builder> change, String message) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> change.apply(TaskRequest.queue("q").id("a")))
			.withMessage(message)
			.satisfies((ex) -> assertThat(ex.getQueue()).isEqualTo("q"));
	}

	static List<Object[]> impossible() {
		return List.of(impossible((request) -> request.leaseDuration(LEAST),
				"Task for queue 'q': leaseDuration must be at least a millisecond, is -106751991167300d15h30m7s"),
				impossible((request) -> request.expiresAfter(LEAST),
						"Task for queue 'q': expiresAfter must be at least a millisecond, is -106751991167300d15h30m7s"),
				impossible((request) -> request.retryDelays(LEAST),
						"Task for queue 'q': each of retryDelays must be zero or longer, but one is -106751991167300d15h30m7s"),
				impossible((request) -> request.every(LEAST),
						"Task for queue 'q': every must be a period of 1s to 36500d, but is -106751991167300d15h30m7s"),
				impossible((request) -> request.leaseDuration(Duration.ZERO),
						"Task for queue 'q': leaseDuration must be at least a millisecond, is 0s"),
				impossible((request) -> request.expiresAfter(Duration.ofNanos(1)),
						"Task for queue 'q': expiresAfter must be at least a millisecond, is 1ns"),
				impossible((request) -> request.maxAttempts(0),
						"Task for queue 'q': maxAttempts must be at least 1, is 0"),
				impossible(TaskRequest.Builder::retryDelays,
						"Task for queue 'q': retryDelays takes 1 to 100 delays, but got 0"),
				impossible((request) -> request.retryDelays(Duration.ZERO, Duration.ofSeconds(-1)),
						"Task for queue 'q': each of retryDelays must be zero or longer, but one is -1s"),
				impossible((request) -> request.id(""), "Task id for queue 'q' must not be empty"), impossible(
						(request) -> request.id("a\n"), "Task id for queue 'q' must not contain control characters"));
	}

	private static Object[] impossible(UnaryOperator<TaskRequest.Builder> change, String message) {
		return new Object[] { change, message };
	}

	@Test
	void recurringTaskIsDueAtItsNextTimeOrAtTheFirstThatIsGiven() {
		Instant now = Instant.parse("2026-01-01T10:00:00Z");
		Clock clock = Clock.fixed(now, ZoneOffset.UTC);
		TaskRequest.Builder hourly = TaskRequest.queue("q").id("a").every(Duration.ofHours(1));
		assertThat(hourly.build().due(clock)).isEqualTo(DueTime.at(now.plusSeconds(3600)));
		assertThat(hourly.delay(Duration.ofMinutes(1)).build().due(clock)).isEqualTo(DueTime.at(now.plusSeconds(60)));
		assertThat(hourly.dueAt(now.minusSeconds(5)).build().due(clock)).isEqualTo(DueTime.at(now.minusSeconds(5)));
		TaskRequest daily = TaskRequest.queue("q")
			.id("a")
			.cron("0 0 9 * * *", ZoneOffset.UTC)
			.onMissed(OnMissed.SKIP)
			.build();
		assertThat(daily.due(clock)).isEqualTo(DueTime.at(Instant.parse("2026-01-02T09:00:00Z")));
		assertThat(daily.recurrence())
			.isEqualTo(Recurrence.cron("0 0 9 * * *", ZoneOffset.UTC).onMissed(OnMissed.SKIP));
		assertThat(daily.options().recurrence()).isEqualTo(daily.recurrence());
		assertThat(TaskRequest.queue("q").build().recurrence()).isNull();
	}

	@ParameterizedTest
	@MethodSource("impossibleRecurrences")
	void refusesRecurrencesThatAreNotPossible(UnaryOperator<TaskRequest.Builder> change, String message) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> change.apply(TaskRequest.queue("q")).build())
			.withMessageStartingWith("Task for queue 'q': " + message);
	}

	static List<Object[]> impossibleRecurrences() {
		Duration hour = Duration.ofHours(1);
		return List.of(
				impossible((request) -> request.id("a").every(Duration.ofMillis(999)),
						"every must be a period of 1s to "),
				impossible((request) -> request.id("a").cron("0 9 * * *", ZoneOffset.UTC),
						"cron '0 9 * * *' is no cron expression of six fields"),
				impossible((request) -> request.id("a").every(hour).cron("0 0 9 * * *", ZoneOffset.UTC),
						"it can recur in one way only, every or cron, and already does: every 1 h"),
				impossible((request) -> request.id("a").onMissed(OnMissed.SKIP),
						"onMissed is for recurring tasks: set every or cron as well"),
				impossible((request) -> request.every(hour), "a recurring task needs an id"));
	}

	@Test
	void namesAreCheckedAlsoWithoutABuilder() {
		TaskRequest request = TaskRequest.queue("orders").id("1").build();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> with("or ders", "1", request))
			.withMessageStartingWith("Queue name 'or ders' is not allowed");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> with("orders", "", request))
			.withMessageStartingWith("Task id for queue 'orders'");
	}

	private static TaskRequest with(String queue, String id, TaskRequest other) {
		return new TaskRequest(queue, id, null, null, null, other.priority(), other.headers(), other.options(),
				other.parts(), other.onDuplicate());
	}

	@Test
	void hasOnePartOfEachKind() {
		TaskRequest request = TaskRequest.queue("q")
			.id("a")
			.with(new Planted("tenant-41"))
			.with(new Soon())
			.with(new Planted("tenant-42"))
			.build();
		assertThat(request.parts()).containsExactly(new Soon(), new Planted("tenant-42"));
		assertThat(request.due()).isEqualTo(new DueTime(true, 5000));
		assertThat(request.withHeaders(Map.of("a", "b")).parts()).isEqualTo(request.parts());
	}

	@ParameterizedTest
	@MethodSource("unfit")
	void refusesAPartThatDoesNotFit(UnaryOperator<TaskRequest.Builder> change, String message) {
		TaskRequest.Builder builder = TaskRequest.queue("q").with(new Soon());
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> change.apply(builder).build())
			.withMessage("Task for queue 'q': soon " + message);
	}

	static List<Object[]> unfit() {
		String due = "says when it is due: set either that, or delay or dueAt";
		return List.of(impossible((request) -> request.id("a").delay(Duration.ZERO), due),
				impossible((request) -> request.id("a").dueAt(Instant.EPOCH), due),
				impossible((request) -> request.id("a").every(Duration.ofHours(1)),
						"is for tasks that are run once: set either that, or every or cron"),
				impossible(UnaryOperator.identity(), "needs an id, and REPLACE"), impossible(
						(request) -> request.id("a").onDuplicate(DuplicatePolicy.REJECT), "needs an id, and REJECT"));
	}

	/** Says when a task is due, and which one cannot have it. */
	record Soon() implements TaskPart {

		@Override
		public String name() {
			return "soon";
		}

		@Override
		public String argument() {
			return "!";
		}

		@Override
		public DueTime due() {
			return new DueTime(true, 5000);
		}

		@Override
		public @Nullable String objection(boolean named, Replacement onDuplicate, byte @Nullable [] envelope) {
			return (named && onDuplicate == Replacement.REPLACE) ? null : "needs an id, and " + onDuplicate;
		}

	}

	record Planted(String argument) implements TaskPart {

		@Override
		public String name() {
			return "planted";
		}

	}

}
