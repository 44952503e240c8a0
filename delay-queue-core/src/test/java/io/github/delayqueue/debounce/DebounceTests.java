package io.github.delayqueue.debounce;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.polling.PollingTemplates;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Debounce} and {@link DueLimit}.
 */
class DebounceTests {

	private static final Debounce DEBOUNCE = Debounce.of(Duration.ofSeconds(5), Duration.ofMinutes(1));

	@Test
	void limitIsTheFirstFieldAndReadWhileTheTaskIsDueByIt() {
		byte[] envelope = bytes("{\"v\":1}");
		byte[] marked = DueLimit.mark(envelope, 1_795_195_739_264L);
		assertThat(marked).asString().isEqualTo("{\"l\":\"001795195739264\",\"v\":1}");
		assertThat(envelope).asString().isEqualTo("{\"v\":1}");
		assertThat(DueLimit.of(marked, 1_795_195_739_264L)).hasValue(1_795_195_739_264L);
		assertThat(DueLimit.of(marked, 1_795_195_739_265L)).isEmpty();
		byte[] last = DueLimit.mark(envelope, DueTime.MAX_EPOCH_MILLIS);
		assertThat(DueLimit.of(last, 0)).hasValue(DueTime.MAX_EPOCH_MILLIS);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "{}", "{\"l\":\"", "{\"l\":\"00179519573926\",\"v\":1}", "{\"l\":\"0001795195739264\"}",
					"{\"l\":\"00179519573926x\"}", "{\"l\":001795195739264}", "{\"v\":1,\"l\":\"001795195739264\"}" })
	void whatOnlyLooksLikeALimitIsNone(String envelope) {
		assertThat(DueLimit.of(bytes(envelope), 0)).isEqualTo(OptionalLong.empty());
	}

	@Test
	void timesGetLessWithWhatHasPassed() {
		assertThat(DEBOUNCE.after(4000)).isEqualTo(new Debounce(1000, 56_000));
		assertThat(DEBOUNCE.after(70_000)).isEqualTo(new Debounce(0, 0));
	}

	@Test
	void delayIsRoundedUp() {
		assertThat(DueMillis.of(DEBOUNCE.due(), 1_795_195_739_264_001L)).isEqualTo(1_795_195_744_265L);
		assertThat(DEBOUNCE.limitMillis(1_795_195_739_264_001L, OptionalLong.empty())).isEqualTo(1_795_195_799_265L);
	}

	@Test
	void onlyAnObjectUnderAnIdOfItsOwnIsDebounced() {
		for (NewTask task : List.of(
				new NewTask("a", bytes("[]"), DEBOUNCE.due(), TaskPriority.NORMAL, Replacement.REPLACE),
				new NewTask("a", bytes("{}"), DEBOUNCE.due(), TaskPriority.NORMAL, Replacement.NEWER),
				Tasks.generated("a", Duration.ZERO))) {
			assertThatIllegalArgumentException().isThrownBy(() -> Tasks.with(DEBOUNCE, task))
				.withMessageStartingWith("debounce ");
		}
	}

	@Test
	void timesHaveToBePossible() {
		Duration least = Duration.ofSeconds(Long.MIN_VALUE);
		assertThat(Debounce.of(Duration.ofSeconds(5), Duration.ofDays(Long.MAX_VALUE / 86_400)))
			.isEqualTo(new Debounce(5000, DueTime.MAX_EPOCH_MILLIS));
		assertImpossible(Duration.ZERO, Duration.ofSeconds(5),
				"quiet of debounce must be at least a millisecond, is 0s");
		assertImpossible(least, least,
				"quiet of debounce must be at least a millisecond, is -106751991167300d15h30m7s");
		assertImpossible(Duration.ofSeconds(5), Duration.ofMillis(4999),
				"atMost of debounce must not be shorter than quiet, 5s, is 4s999ms");
		assertImpossible(Duration.ofSeconds(1), least,
				"atMost of debounce must not be shorter than quiet, 1s, is -106751991167300d15h30m7s");
	}

	private static void assertImpossible(Duration quiet, Duration atMost, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> Debounce.of(quiet, atMost)).withMessage(message);
	}

	@Test
	void requestSaysWhyItCannotBePutOff() {
		TaskRequest.Builder builder = TaskRequest.queue("q").with(DEBOUNCE);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(builder::build)
			.withMessage("Task for queue 'q': debounce needs an id: what is put off is the task with the same id");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> builder.id("a").onDuplicate(DuplicatePolicy.REJECT).build())
			.withMessage("Task for queue 'q': debounce replaces the task with the same id: "
					+ "onDuplicate must be REPLACE, is REJECT");
	}

	/** As the recipe has it. */
	@Test
	void documentThatChangesEveryFourSecondsIsIndexedOnceAMinute() {
		MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
		DelayQueueTemplate template = PollingTemplates.create(new InMemoryTaskStore(clock), Codecs.create(),
				TaskEvents.NONE, (queue) -> QueueOptions.DEFAULTS);
		List<Long> indexedAt = new ArrayList<>();
		for (long second = 0; second < 180; second++) {
			if (second % 4 == 0) {
				template.schedule("q", (task) -> task.id("document").header("change", "x").with(DEBOUNCE));
			}
			for (ClaimedTask task : template.poll("q", 1, Duration.ofMinutes(1))) {
				assertThat(task.headers()).containsEntry("change", "x");
				task.complete();
				indexedAt.add(second);
			}
			clock.advance(Duration.ofSeconds(1));
		}
		assertThat(indexedAt).as("first change, and first after each run: 0, 64, 128").containsExactly(60L, 124L);
		clock.advance(Duration.ofSeconds(2));
		assertThat(template.poll("q", 1, Duration.ofMinutes(1))).as("five seconds after the last").hasSize(1);
	}

}
