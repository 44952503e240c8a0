package io.github.delayqueue.store.redis;

import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.testsupport.TestEffort;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link DeliveryRecord} and {@link IdText} with what may stand in Redis.
 */
class DeliveryRecordTests {

	@Test
	void idsKeepTheirBytes() {
		long seed = TestEffort.seed(1);
		Random random = new Random(seed);
		for (int i = 0; i < 100_000; i++) {
			byte[] id = new byte[random.nextInt(12)];
			random.nextBytes(id);
			assertThat(IdText.encode(IdText.decode(id))).as("seed %d", seed).isEqualTo(id);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "order_123", "ü", "漢字", "😀", "a\u0000b", "{x}", "\uD7FF\uE000\uFFFF" })
	void idsThatAreTextAreThatText(String id) {
		assertThat(IdText.decode(bytes(id))).isEqualTo(id);
		assertThat(IdText.encode(id)).isEqualTo(bytes(id));
	}

	@Test
	void deliveriesAreReadWithAndWithoutWhatFollows() {
		DeliveryRecord expected = new DeliveryRecord(1, 2, TaskPriority.LOW, Instant.ofEpochMilli(3));
		assertThat(Stream.of("1:2:l:3", "1:2:l:3:", "1:2:l:3:token", "1:2:l:3:expired").map(DeliveryRecord::parse))
			.containsOnly(expected);
	}

	@Test
	void countsAndTimesOutOfBoundsAreBroughtWithin() {
		String huge = "9".repeat(400);
		assertThat(DeliveryRecord.parse(huge + ":" + huge + ":h:" + huge + ":")).isEqualTo(new DeliveryRecord(
				Integer.MAX_VALUE, Integer.MAX_VALUE, TaskPriority.HIGH, Instant.parse("9999-12-31T23:59:59.999Z")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", ":::", "::::", "1:2:l", "1:2:x:3:", "1:2:l:-3:", "-1:2:l:3:", "1:2:ll:3:",
			"1:2:l:3.5:", " 1:2:l:3:", "1::l:3:", "١:2:l:3:" })
	void whatIsNoDeliveryIsNone(String text) {
		assertThat(DeliveryRecord.parse(text)).isNull();
	}

}
