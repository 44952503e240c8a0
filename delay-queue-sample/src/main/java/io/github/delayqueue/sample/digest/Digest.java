package io.github.delayqueue.sample.digest;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened in the shop since the digest before.
 *
 * @param date its day
 * @param dueAt when it was due
 * @param writtenAt when it was written
 * @param counts what happened, and how often
 */
record Digest(LocalDate date, Instant dueAt, Instant writtenAt, Map<String, Long> counts) {

	Digest {
		counts = new TreeMap<>(counts);
	}

}
