package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.testsupport.MutableClock;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreCopy}.
 */
class StoreCopyTests {

	@Test
	void storeBecomesWhatItWasHoweverOftenAndWhateverHasHappenedSince() {
		InMemoryTaskStore store = new InMemoryTaskStore(new MutableClock(Instant.parse("2026-01-01T00:00:00Z")));
		store.schedule("orders", List.of(task("1", Duration.ZERO)));
		StoreCopy copy = StoreCopy.of(store);
		for (String token : List.of("first", "second", "third")) {
			assertThat(store.list("orders", TaskState.SCHEDULED, 0, 10)).extracting(StoredTask::id)
				.containsExactly("1");
			assertThat(store.claim("orders", ClaimRequest.of(token, 10, Duration.ofSeconds(30))).tasks()).hasSize(1);
			assertThat(store.settle("orders", List.of(Endings.complete("1", token, false)))).containsExactly(true);
			assertThat(store.list("orders", TaskState.SCHEDULED, 0, 10)).isEmpty();
			copy.restore(store);
		}
	}

}
