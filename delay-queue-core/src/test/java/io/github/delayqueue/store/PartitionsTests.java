package io.github.delayqueue.store;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Partitions}.
 */
class PartitionsTests {

	/**
	 * As {@code python3 -c "import zlib; print(zlib.crc32(id.encode()) % count)"} says.
	 */
	@ParameterizedTest
	@CsvSource({ "123456789, 256, 38", "123456789, 8, 6", "order_123, 8, 2", "order_123, 3, 0", "order_123, 256, 178",
			"a, 8, 3", "a, 1, 0", "ü, 8, 5", "漢字, 256, 175", "😀, 100, 56" })
	void homeIsTheSameInEveryLanguage(String id, int count, int home) {
		assertThat(Partitions.home(id, count)).isEqualTo(home);
	}

	@Test
	void homesAreSpreadEvenly() {
		int[] sizes = new int[8];
		IntStream.range(0, 80_000).forEach((i) -> sizes[Partitions.home("order_" + i, 8)]++);
		assertThat(IntStream.of(sizes)).allMatch((size) -> size > 9_000 && size < 11_000);
	}

	@Test
	void firstPartitionHasTheNameOfTheQueue() {
		assertThat(Partitions.names("q", 1)).containsExactly("q");
		assertThat(Partitions.names("q", 3)).containsExactly("q", "q#1", "q#2");
		assertThat(Partitions.names("q", 3)).extracting(Partitions::queue).containsOnly("q");
		assertThat(Partitions.home("123456789", Partitions.names("q", 8))).isEqualTo("q#6");
	}

	@ParameterizedTest
	@ValueSource(strings = { "q", "q#1", "q#255", "a.b:c#10" })
	void nameOfAPartitionIsAccepted(String name) {
		assertThat(Partitions.requireName(name)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "#1", "q#", "q#0", "q#01", "q#1000", "q#1#2", "q#-1", "q}#1", "q#a" })
	void nameThatIsNoneOfAPartitionIsRefused(String name) {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> Partitions.requireName(name));
	}

	@ParameterizedTest
	@CsvSource({ "8, 8, 0", "1, 1, 0", "'8,4,1', 8, 4", "256, 256, 0", "unknown, 1, 0", "'0 or 257', 1, 0" })
	void numberComesBeforeEarlierOnes(String known, int count, int earlier) {
		assertThat(Partitions.count(known)).isEqualTo(count);
		assertThat(Partitions.earlier(known)).isEqualTo(earlier);
	}

}
