package io.github.delayqueue.sample.digest;

import java.time.Clock;
import java.time.LocalDate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Writes the digest of the day and schedules the next one. Should it fail in between, it
 * runs again, finds the digest written and schedules what is missing.
 */
@Component
class DigestListener {

	static final String QUEUE = "daily_digest";

	private static final Logger logger = LoggerFactory.getLogger(DigestListener.class);

	private final Records<DigestBook> books;

	private final Tally tally;

	private final DigestSchedule schedule;

	private final Clock clock;

	DigestListener(RecordsFactory recordsFactory, Tally tally, DigestSchedule schedule, Clock clock) {
		this.books = recordsFactory.records("digest", DigestBook.class);
		this.tally = tally;
		this.schedule = schedule;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE)
	void write(DelayedTask<LocalDate> task) {
		LocalDate date = task.payload();
		Digest digest = new Digest(date, task.dueAt(), this.clock.instant(), this.tally.close(date.toString()));
		if (this.books.update(QUEUE, DigestBook.EMPTY, (book) -> book.with(digest)).happened()) {
			logger.info("Digest of {}: {}", date, digest.counts());
		}
		this.schedule.scheduleAfter(date);
	}

}
