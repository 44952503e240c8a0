package io.github.delayqueue.management;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.HostileData;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.testsupport.TestEffort;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import io.github.delayqueue.store.redis.Replies;

/**
 * {@link LookReplies} with what may stand in Redis. Repeat a run with
 * {@code -Dfuzz.seed=…}, lengthen it with {@code -Dfuzz.cases=…}.
 */
class LookRepliesFuzzTests {

	private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

	@Test
	void everyTaskOfAListCanBeLookedAt() {
		long seed = Long.getLong("fuzz.seed", TestEffort.seed(1));
		HostileData data = new HostileData(seed);
		for (int i = 0; i < Integer.getInteger("fuzz.cases", TestEffort.pick(3000, 10_000)); i++) {
			byte[] id = data.id(i);
			String score = (data.below(2) == 0) ? data.pastScore() : data.futureScore();
			byte[] record = data.deliveryRecord();
			String state = data.any(List.of("scheduled", "in_flight", "dead", "completed"));
			try {
				StoredTask task = LookReplies
					.tasks(Arrays.asList(bytes(state), id, bytes(score.replace("+", "")),
							bytes(state.equals("scheduled") ? "n" : ""), record, data.envelope(), data.failure()))
					.get(0);
				assertThat(task.id()).isEqualTo(Replies.id(id));
				assertThat(task.at()).isBetween(Instant.EPOCH, END_OF_TIME);
				assertThat(Stream.ofNullable(task.dueAt())).allMatch((due) -> !due.isAfter(END_OF_TIME));
				assertThat(task.failures()).isNotNegative();
				assertThat(task.leasesLost()).isNotNegative();
			}
			catch (RuntimeException | AssertionError ex) {
				fail("-Dfuzz.seed=" + seed + ", case " + i, ex);
			}
		}
	}

}
