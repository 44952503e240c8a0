package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.MockStores;
import io.github.delayqueue.roles.ClaimedTokens;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * Tests of {@link LostClaims}, with threads that are there when the test says so.
 */
class LostClaimsTests {

	private static final String QUEUE = "orders";

	private final TaskStore store = MockStores.create();

	private final AtomicLong now = new AtomicLong();

	private boolean free;

	private final LostClaims lost = new LostClaims(this.store, QUEUE, this.now::get);

	@Test
	void looksOnceThereIsAThread() {
		given(((ClaimedTokens) this.store).claimedWith(QUEUE, Set.of("token"))).willReturn(Map.of("task", "token"));
		this.lost.add("token", Duration.ofSeconds(30));
		this.lost.release(this::run);
		then(this.store).shouldHaveNoInteractions();
		this.free = true;
		this.now.addAndGet(LostClaims.FIRST_PAUSE.toNanos());
		this.lost.release(this::run);
		assertThat(this.lost.isEmpty()).isTrue();
	}

	private void run(Runnable look) {
		if (!this.free) {
			throw new RejectedExecutionException();
		}
		look.run();
	}

}
