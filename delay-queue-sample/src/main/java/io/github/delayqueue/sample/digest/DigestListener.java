package io.github.delayqueue.sample.digest;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.SampleProperties;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Writes the digest of the day, on one of the instances. Nobody schedules its task: the
 * listener says when it is called.
 */
@Component
class DigestListener {

	static final String QUEUE = "daily_digest";

	/** Of the listener and of its task. */
	static final String ID = "digest";

	private static final Logger logger = LoggerFactory.getLogger(DigestListener.class);

	private final Records<DigestBook> books;

	private final Tally tally;

	private final ZoneId zone;

	private final Clock clock;

	DigestListener(RecordsFactory recordsFactory, Tally tally, SampleProperties properties, Clock clock) {
		this.books = recordsFactory.records("digest", DigestBook.class);
		this.tally = tally;
		this.zone = properties.digest().zone();
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE, id = ID, cron = "${sample.digest.cron}", zone = "${sample.digest.zone}")
	void write(DelayedTask<?> task) {
		LocalDate date = LocalDate.ofInstant(task.runAt(), this.zone);
		Digest digest = new Digest(date, task.runAt(), this.clock.instant(), this.tally.close(date.toString()));
		if (this.books.update(QUEUE, DigestBook.EMPTY, (book) -> book.with(digest)).happened()) {
			logger.info("Digest of {}: {}", date, digest.counts());
		}
	}

}
