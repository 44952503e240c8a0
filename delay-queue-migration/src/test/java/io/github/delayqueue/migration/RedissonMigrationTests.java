package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedissonMigration}.
 */
class RedissonMigrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "order_1", "\u0000\u0001", "ä" })
	void unpacksWhatIsPackedWithAnIdOfAnyLength(String text) {
		byte[] value = text.getBytes(StandardCharsets.UTF_8);
		for (int length : new int[] { 0, 1, 8, 16, 255 }) {
			for (ByteOrder order : new ByteOrder[] { ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN }) {
				assertThat(RedissonMigration.unpack(packed(new byte[length], value, order))).isEqualTo(value);
			}
		}
	}

	/** What these versions have put into the sorted set, for a {@code StringCodec}. */
	@ParameterizedTest
	@CsvSource(textBlock = """
			3.11.6, c73358b91ddbca4307000000000000006f726465725f31, order_1
			3.11.6, 87068ed0f70ad6430200000000000000c3a4, ä
			3.11.6, a666c9f6296fb4c314000000000000007b226e756d626572223a226f726465725f32227d, {"number":"order_2"}
			3.17.7, 50f95ed0d05bd24307000000000000006f726465725f31, order_1
			3.17.7, d557b7d2e69ad5c30200000000000000c3a4, ä
			3.17.7, 7de937c14e2fdfc314000000000000007b226e756d626572223a226f726465725f32227d, {"number":"order_2"}
			3.27.2, 083d5d8a73df3e8a7407000000000000006f726465725f31, order_1
			3.27.2, 08bc4e33f398e54f8a0200000000000000c3a4, ä
			3.27.2, 088e21646a396f6dcb14000000000000007b226e756d626572223a226f726465725f32227d, {"number":"order_2"}
			3.50.0, 08f7568df728dd488307000000000000006f726465725f31, order_1
			3.50.0, 08330ca4186e941ca00200000000000000c3a4, ä
			3.50.0, 08da82079b7224546014000000000000007b226e756d626572223a226f726465725f32227d, {"number":"order_2"}
			4.7.0, 08ad58886665c9fba307000000000000006f726465725f31, order_1
			4.7.0, 08228327cf097f01920200000000000000c3a4, ä
			4.7.0, 085a70a3c09673c5c414000000000000007b226e756d626572223a226f726465725f32227d, {"number":"order_2"}
			""")
	void unpacksWhatVersionsOfRedissonHavePacked(String version, String packed, String value) {
		assertThat(RedissonMigration.unpack(HexFormat.of().parseHex(packed))).asString(StandardCharsets.UTF_8)
			.isEqualTo(value);
	}

	@Test
	void refusesWhatIsNotPacked() {
		for (byte[] other : new byte[][] { {}, { 0 }, { 8, 1, 2 }, "{\"number\":\"order_1\"}".getBytes(),
				packed(new byte[8], new byte[5], ByteOrder.LITTLE_ENDIAN, 6),
				packed(new byte[8], new byte[5], ByteOrder.LITTLE_ENDIAN, -5) }) {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> RedissonMigration.unpack(other))
				.withMessageContaining("not packed");
		}
	}

	@RepeatedTest(20)
	void bytesAtRandomAreRefusedAndNothingElse(RepetitionInfo repetition) {
		long seed = TestEffort.seed(repetition.getCurrentRepetition());
		Random random = new Random(seed);
		for (int i = 0; i < 1000; i++) {
			byte[] bytes = new byte[random.nextInt(300)];
			random.nextBytes(bytes);
			try {
				assertThat(RedissonMigration.unpack(bytes).length).as("seed %d", seed).isLessThan(bytes.length);
			}
			catch (DelayQueueException ex) {
				assertThat(ex).as("seed %d", seed).hasMessageContaining("not packed");
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
		return RedissonMigration.from(name)
			.to("queue")
			.payload(RedissonPayloads.text())
			.build()
			.source()
			.places()
			.stream()
			.map(Source.Place::walked)
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
