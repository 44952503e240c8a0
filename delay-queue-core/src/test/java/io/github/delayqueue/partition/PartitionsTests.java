package io.github.delayqueue.partition;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.roles.SourceNames;

import static org.assertj.core.api.Assertions.assertThat;

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
		assertThat(Partitions.home(id, SourceNames.names("q", count))).isEqualTo(SourceNames.name("q", home));
	}

	@Test
	void homesAreSpreadEvenly() {
		List<String> names = SourceNames.names("q", 8);
		int[] sizes = new int[8];
		IntStream.range(0, 80_000).forEach((i) -> sizes[names.indexOf(Partitions.home("order_" + i, names))]++);
		assertThat(IntStream.of(sizes)).allMatch((size) -> size > 9_000 && size < 11_000);
	}

}
