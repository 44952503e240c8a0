package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedissonLayout}.
 */
class RedissonLayoutTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "order_1", "\u0000\u0001", "ä" })
	void unpacksWhatIsPackedWithAnIdOfAnyLength(String text) {
		byte[] value = text.getBytes(StandardCharsets.UTF_8);
		for (int length : new int[] { 0, 1, 8, 16, 255 }) {
			for (ByteOrder order : new ByteOrder[] { ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN }) {
				assertThat(RedissonLayout.unpack(packed(new byte[length], value, order))).isEqualTo(value);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "order_1", "ä" })
	void unpacksWhatIsPackedWithANumber(String text) {
		byte[] value = text.getBytes(StandardCharsets.UTF_8);
		byte[] packed = ByteBuffer.allocate(16 + value.length)
			.order(ByteOrder.LITTLE_ENDIAN)
			.putDouble(-1.2345e18)
			.putLong(value.length)
			.put(value)
			.array();
		assertThat(RedissonLayout.unpack(packed)).isEqualTo(value);
	}

	@Test
	void refusesWhatIsNotPacked() {
		for (byte[] other : new byte[][] { {}, { 0 }, { 8, 1, 2 }, "{\"number\":\"order_1\"}".getBytes(),
				packed(new byte[8], new byte[5], ByteOrder.LITTLE_ENDIAN, 6),
				packed(new byte[8], new byte[5], ByteOrder.LITTLE_ENDIAN, -5) }) {
			assertThatExceptionOfType(UnreadableEntryException.class).isThrownBy(() -> RedissonLayout.unpack(other))
				.withMessageContaining("not packed");
		}
	}

	@RepeatedTest(20)
	void bytesAtRandomAreRefusedAndNothingElse() {
		Random random = new Random();
		for (int i = 0; i < 1000; i++) {
			byte[] bytes = new byte[random.nextInt(300)];
			random.nextBytes(bytes);
			try {
				assertThat(RedissonLayout.unpack(bytes).length).isLessThan(bytes.length);
			}
			catch (UnreadableEntryException ex) {
				assertThat(ex).hasMessageContaining("not packed");
			}
		}
	}

	@Test
	void keysAreThoseOfRedisson() {
		assertThat(keys("orders")).containsExactly("redisson_delay_queue:{orders}",
				"redisson_delay_queue_timeout:{orders}", "orders");
		assertThat(keys("shop{1}orders")).containsExactly("redisson_delay_queue:shop{1}orders",
				"redisson_delay_queue_timeout:shop{1}orders", "shop{1}orders");
	}

	private static String[] keys(String name) {
		return new RedissonLayout(name, true).places()
			.stream()
			.map((place) -> new String(place.walked(), StandardCharsets.UTF_8))
			.toArray(String[]::new);
	}

	private static byte[] packed(byte[] id, byte[] value, ByteOrder order) {
		return packed(id, value, order, value.length);
	}

	private static byte[] packed(byte[] id, byte[] value, ByteOrder order, long length) {
		return ByteBuffer.allocate(9 + id.length + value.length)
			.order(order)
			.put((byte) id.length)
			.put(id)
			.putLong(length)
			.put(value)
			.array();
	}

}
