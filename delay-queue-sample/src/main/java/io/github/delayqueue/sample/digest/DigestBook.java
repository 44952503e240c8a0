package io.github.delayqueue.sample.digest;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;

/**
 * The digests of the last days, the latest first.
 *
 * @param digests the digests, one a day at most
 */
record DigestBook(List<Digest> digests) {

	static final DigestBook EMPTY = new DigestBook(List.of());

	private static final int KEPT_DAYS = 31;

	DigestBook {
		digests = List.copyOf(digests);
	}

	boolean contains(LocalDate date) {
		return this.digests.stream().anyMatch((digest) -> digest.date().equals(date));
	}

	DigestBook with(Digest digest) {
		return contains(digest.date()) ? this
				: new DigestBook(Stream.concat(Stream.of(digest), this.digests.stream()).limit(KEPT_DAYS).toList());
	}

}
