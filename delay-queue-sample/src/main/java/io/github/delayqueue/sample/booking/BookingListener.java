package io.github.delayqueue.sample.booking;

import java.time.Clock;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.booking.BookingTask.Step;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Does the three tasks of bookings.
 */
@Component
class BookingListener {

	private static final Logger logger = LoggerFactory.getLogger(BookingListener.class);

	private final DelayQueueOperations delayQueue;

	private final Records<Booking> bookings;

	private final Tally tally;

	private final Clock clock;

	BookingListener(DelayQueueOperations delayQueue, RecordsFactory recordsFactory, Tally tally, Clock clock) {
		this.delayQueue = delayQueue;
		this.bookings = recordsFactory.records("booking", Booking.class);
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = BookingTask.QUEUE)
	void run(BookingTask task) {
		switch (task.step()) {
			case REMINDER -> remind(task.booking());
			case NO_SHOW -> checkNoShow(task.booking());
			case FOLLOW_UP -> followUp(task.booking());
		}
	}

	private void remind(Booking booking) {
		Instant now = this.clock.instant();
		if (this.bookings.update(booking.id(), booking, (current) -> current.reminded(now)).happened()) {
			logger.info("{} reminded of {} at {}", booking.phone(), booking.id(), booking.startsAt());
		}
	}

	private void checkNoShow(Booking booking) {
		Instant now = this.clock.instant();
		if (this.bookings.update(booking.id(), booking, (current) -> current.noShow(now)).happened()) {
			this.tally.count("bookingsNoShow");
			this.delayQueue.cancel(BookingTask.QUEUE, Step.FOLLOW_UP.taskId(booking.id()));
			logger.info("{} ended and nobody came", booking.id());
		}
	}

	private void followUp(Booking booking) {
		Instant now = this.clock.instant();
		if (this.bookings.update(booking.id(), booking, (current) -> current.followedUp(now)).happened()) {
			logger.info("{} asked how {} was", booking.phone(), booking.id());
		}
	}

}
