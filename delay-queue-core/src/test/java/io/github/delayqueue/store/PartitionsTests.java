package io.github.delayqueue.store;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Partitions} and {@link PartitionCounts}.
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

	@Test
	void countsAreReadAsTheyAreWritten() {
		PartitionCounts counts = PartitionCounts.parse("1,8,4");
		assertThat(counts.text()).isEqualTo("8,4,1");
		assertThat(counts.count()).isEqualTo(8);
		assertThat(PartitionCounts.parse(counts.text())).isEqualTo(counts).hasSameHashCodeAs(counts);
		assertThat(PartitionCounts.of(1)).isSameAs(PartitionCounts.ONE);
		assertThat(PartitionCounts.parse("none, 0 or 257")).isEqualTo(PartitionCounts.UNCHECKED);
	}

	@Test
	void countsAreUnitedInAnyOrder() {
		PartitionCounts four = PartitionCounts.of(4);
		PartitionCounts eight = PartitionCounts.of(8);
		assertThat(four.with(eight)).isEqualTo(eight.with(four)).hasToString("8,4");
		assertThat(four.with(eight).with(four)).hasToString("8,4");
		assertThat(eight.with(PartitionCounts.UNCHECKED)).isEqualTo(eight);
	}

	@Test
	void nothingIsKnownOfAQueueThatIsBelievedToHaveOnePartition() {
		PartitionCounts eight = PartitionCounts.of(8);
		assertThat(PartitionCounts.ONE.with(eight)).isEqualTo(eight.with(PartitionCounts.ONE)).hasToString("8");
		assertThat(PartitionCounts.ONE.with(PartitionCounts.UNCHECKED)).isEqualTo(PartitionCounts.ONE);
		assertThat(eight.afterOne()).hasToString("8,1");
	}

	@Test
	void earlierHomesAreThoseOfEarlierCountsOtherThanThePresentHome() {
		PartitionCounts counts = PartitionCounts.parse("8,4,1");
		Set<Integer> numbers = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			String id = "id-" + i;
			int home = Partitions.home(id, 8);
			assertThat(counts.earlierHomes(id)).doesNotContain(home).doesNotHaveDuplicates();
			numbers.addAll(counts.earlierHomes(id));
			for (int earlier : new int[] { 4, 1 }) {
				int other = Partitions.home(id, earlier);
				assertThat(other == home || counts.earlierHomes(id).contains(other)).isTrue();
			}
		}
		assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2, 3);
		assertThat(PartitionCounts.of(8).earlierHomes("id-1")).isEmpty();
	}

}
