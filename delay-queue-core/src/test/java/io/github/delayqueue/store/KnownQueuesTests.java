package io.github.delayqueue.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KnownQueues}.
 */
class KnownQueuesTests {

	private final KnownQueues<String> queues = new KnownQueues<>();

	@Test
	void neverKeepsMoreThanItMay() {
		for (int i = 0; i < 3 * KnownQueues.MOST; i++) {
			String queue = "tenant-" + i;
			assertThat((i % 2 == 0) ? this.queues.get(queue, (name) -> name) : queue).isEqualTo(queue);
			this.queues.put(queue, queue);
			assertThat(this.queues.get(queue)).isEqualTo(queue);
			assertThat(this.queues.all().size()).isBetween(1, KnownQueues.MOST);
		}
		this.queues.all().keySet().forEach((queue) -> this.queues.put(queue, "changed"));
		assertThat(this.queues.all()).isNotEmpty();
	}

}
