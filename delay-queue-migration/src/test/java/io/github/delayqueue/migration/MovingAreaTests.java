package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Answers;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.migration.MovingArea.LockLostException;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Answers that no script of ours gives, as from a proxy that changes them: no server
 * answers so, hence a connection factory that does.
 */
class MovingAreaTests {

	private static final List<Source.Place> PLACES = RedissonMigration.from("orders")
		.to("queue")
		.payload(RedissonPayloads.text())
		.build()
		.source()
		.places();

	private static final Map<String, byte[]> ENTRIES = Map.of("a", bytes("a"), "b", bytes("b"));

	private final AtomicReference<@Nullable Object> answer = new AtomicReference<>();

	private final RedisConnection connection = mock(Answers.RETURNS_DEEP_STUBS);

	private final MovingArea area = area();

	static List<String> stepNames() {
		return List.copyOf(steps().keySet());
	}

	private static Map<String, Consumer<MovingArea>> steps() {
		Map<String, Consumer<MovingArea>> steps = new LinkedHashMap<>();
		steps.put("hold", MovingArea::hold);
		steps.put("keep", MovingArea::keep);
		steps.put("let go", MovingArea::letGo);
		steps.put("take", (area) -> area.take(PLACES.get(0), 2, ENTRIES));
		steps.put("take due", (area) -> area.take(PLACES.get(2), 2, ENTRIES));
		steps.put("drop", (area) -> area.drop(MovingArea.MOVED, List.of("a", "b")));
		return steps;
	}

	private static List<Object> replies() {
		List<Object> replies = new ArrayList<>(List.of(5L, bytes("OK"), "text", List.of()));
		List<Object> values = Arrays.asList(null, -7L, 1L, Long.MAX_VALUE, bytes("text"), "text", true, List.of(),
				List.of(List.of(bytes("x"))), Collections.singletonList(null));
		for (Object value : values) {
			for (int size : new int[] { 1, 2, 3, 7 }) {
				replies.add(Collections.nCopies(size, value));
			}
			replies.add(Arrays.asList(1L, value));
			replies.add(Arrays.asList(1L, value, value));
		}
		return replies;
	}

	@ParameterizedTest
	@MethodSource("stepNames")
	void replyOfAnotherShapeIsOneExceptionWithASentence(String step) {
		int refused = 0;
		for (Object reply : replies()) {
			this.answer.set(reply);
			try {
				steps().get(step).accept(this.area);
			}
			catch (StoreUnavailableException ex) {
				assertThat(ex)
					.hasMessageStartingWith(
							"Could not use 'delay:queue:moving:{orders}': the reply is none that our scripts give")
					.hasMessageContaining("may or may not have been done");
				refused++;
			}
			catch (LockLostException ex) {
				assertThat((List<?>) reply).as("says that the lock is somebody else's").first().isNotEqualTo(1L);
			}
			catch (RuntimeException ex) {
				fail(step + " of " + reply, ex);
			}
		}
		assertThat(refused).isPositive();
	}

	@Test
	@SuppressWarnings("deprecation") // that is what templates call
	void totalThatIsNoNumberIsTheSameException() {
		given(this.connection.hGet(any(), any())).willReturn(bytes("many"));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> this.area.total(MovingArea.KNOWN))
			.withMessageContaining("'delay:queue:moving:{orders}'");
	}

	private MovingArea area() {
		given(this.connection.scriptingCommands().evalSha(anyString(), any(), anyInt(), any(byte[][].class)))
			.willAnswer((invocation) -> this.answer.get());
		RedisConnectionFactory factory = mock();
		given(factory.getConnection()).willReturn(this.connection);
		return new MovingArea(factory, MovingArea.key("delay:queue:", "orders"), Duration.ofSeconds(30));
	}

}
