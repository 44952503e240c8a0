package io.github.delayqueue.debounce;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
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
		NewTask later = Tasks.with(DEBOUNCE, Tasks.task("a")).after(4000);
		assertThat(later.due()).isEqualTo(new DueTime(true, 1000));
		assertThat(later.parts()).containsExactly(new Debounce(1000, 56_000));
		assertThat(new DueTime(true, 5000).after(4000)).isEqualTo(new DueTime(true, 1000));
		assertThat(new DueTime(false, 5000).after(4000)).isEqualTo(new DueTime(false, 5000));
	}

	@Test
	void delayIsRoundedUp() {
		assertThat(DEBOUNCE.due().resolveMillis(1_795_195_739_264_001L)).isEqualTo(1_795_195_744_265L);
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

}
