package io.github.delayqueue.producer;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TaskIds}.
 */
class TaskIdsTests {

	private static final long NOW = 1_767_225_600_000L;

	private final AtomicLong millis = new AtomicLong(NOW);

	@Test
	void idsAreShortDigitsAndLetters() {
		assertThat(new TaskIds(this.millis::get).next()).matches("[0-9A-Za-z]{18}");
	}

	@Test
	void idsAreInOrderWhileTheClockStandsStillStepsBackAndGoesOn() {
		TaskIds ids = new TaskIds(this.millis::get);
		List<String> generated = IntStream.range(0, TestEffort.pick(100_000, 500_000)).mapToObj((i) -> {
			this.millis.addAndGet((i % 50_000 == 0) ? -30_000 : (i % 1000 == 0) ? 700 : 0);
			return ids.next();
		}).toList();
		assertThat(generated).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void idsOfSeveralProcessesAreInOrderOfTheirClocks() {
		TaskIds one = new TaskIds(this.millis::get);
		TaskIds other = new TaskIds(this.millis::get);
		List<String> generated = IntStream.range(0, 1000).mapToObj((i) -> {
			this.millis.incrementAndGet();
			return ((i % 3 == 0) ? one : other).next();
		}).toList();
		assertThat(generated).isSorted();
	}

	@Test
	void idsOfManyProcessesInTheSameMillisecondAreUnique() {
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			TaskIds process = new TaskIds(this.millis::get);
			ids.add(process.next());
			ids.add(process.next());
		}
		assertThat(ids).hasSize(2000);
	}

	@Test
	void copyOfAProcessGeneratesOtherIdsInTheSameOrder() {
		TaskIds ids = new TaskIds(this.millis::get);
		String before = ids.next();
		ids.renew();
		String after = ids.next();
		assertThat(after).isGreaterThan(before);
		assertThat(after.substring(11)).isNotEqualTo(before.substring(11));
	}

	@Test
	void idsGeneratedOnSeveralThreadsAreUnique() {
		TaskIds ids = new TaskIds(this.millis::get);
		Collection<String> generated = Stream.generate(ids::next).parallel().limit(100_000).toList();
		assertThat(new HashSet<>(generated)).hasSize(100_000);
	}

	@Test
	void orderHoldsForAThousandYears() {
		this.millis.set(NOW + 1000L * 365 * 24 * 3600 * 1000);
		String late = new TaskIds(this.millis::get).next();
		this.millis.set(NOW);
		assertThat(new TaskIds(this.millis::get).next()).isLessThan(late);
	}

}
