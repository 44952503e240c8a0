package io.github.delayqueue.sample.digest;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DigestBook}.
 */
class DigestBookTests {

	private static final LocalDate DAY = LocalDate.parse("2026-11-20");

	@Test
	void keepsOneDigestOfADay() {
		DigestBook book = DigestBook.EMPTY.with(digest(DAY, 1));
		assertThat(book.with(digest(DAY, 2))).isSameAs(book);
	}

	@Test
	void keepsTheLastMonthLatestFirst() {
		DigestBook book = DigestBook.EMPTY;
		for (int day = 0; day < 40; day++) {
			book = book.with(digest(DAY.plusDays(day), day));
		}
		assertThat(book.digests()).hasSize(31);
		assertThat(book.digests().get(0).date()).isEqualTo(DAY.plusDays(39));
		assertThat(book.digests().get(30).date()).isEqualTo(DAY.plusDays(9));
	}

	private static Digest digest(LocalDate date, long count) {
		return new Digest(date, Instant.EPOCH, Instant.EPOCH, Map.of("ordersPaid", count));
	}

}
