package io.github.delayqueue.sample.booking;

import java.time.Clock;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.SampleProperties;
import io.github.delayqueue.sample.booking.BookingTask.Step;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Bookings. Each has three tasks, scheduled together and found again by their ids.
 */
@RestController
@RequestMapping("/bookings")
@Tag(name = "Bookings", description = "Three tasks that depend on what the guest does")
class BookingController {

	private final DelayQueueOperations delayQueue;

	private final Records<Booking> bookings;

	private final Tally tally;

	private final SampleProperties.Booking properties;

	private final Clock clock;

	BookingController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory, Tally tally,
			SampleProperties properties, Clock clock) {
		this.delayQueue = delayQueue;
		this.bookings = recordsFactory.records("booking", Booking.class);
		this.tally = tally;
		this.properties = properties.booking();
		this.clock = clock;
	}

	@PostMapping
	@Operation(summary = "Book a table")
	ResponseEntity<Booking> create(@Valid @RequestBody NewBooking request) {
		if (!request.endsAt().isAfter(request.startsAt())) {
			throw Problems.badRequest("endsAt must be after startsAt");
		}
		Booking booking = Booking.of(this.bookings.nextId(), request.phone(), request.startsAt(), request.endsAt(),
				this.properties.reminderLead(), this.properties.followUpDelay());
		this.delayQueue.scheduleAll(List.of(new BookingTask(Step.REMINDER, booking).dueAt(booking.reminder().dueAt()),
				new BookingTask(Step.NO_SHOW, booking).dueAt(booking.noShowCheck().dueAt()),
				new BookingTask(Step.FOLLOW_UP, booking).dueAt(booking.followUp().dueAt())));
		this.bookings.saveIfAbsent(booking.id(), booking);
		this.tally.count("bookingsMade");
		return Created.at(booking.id(), booking);
	}

	@PostMapping("/{id}/take-number")
	@Operation(summary = "The guest has come and takes a number")
	Booking takeNumber(@PathVariable String id) {
		Instant now = this.clock.instant();
		Long taken = get(id).number();
		long number = (taken != null) ? taken : this.bookings.nextNumber("number");
		Booking booking = this.bookings
			.update(id, (current) -> current.numberTaken(number, now, now.plus(this.properties.followUpDelay())))
			.orElseThrow()
			.after();
		if (booking.status() == Booking.Status.NO_SHOW) {
			throw Problems.conflict("Booking '" + id + "' ended at " + booking.endsAt() + " without the guest");
		}
		this.delayQueue.cancel(BookingTask.QUEUE, Step.REMINDER.taskId(id));
		this.delayQueue.cancel(BookingTask.QUEUE, Step.NO_SHOW.taskId(id));
		followUp(booking);
		return booking;
	}

	private void followUp(Booking booking) {
		Booking.Step followUp = booking.followUp();
		if (followUp.status() == Booking.Step.Status.WAITING && !this.delayQueue.reschedule(BookingTask.QUEUE,
				Step.FOLLOW_UP.taskId(booking.id()), followUp.dueAt())) {
			// It ran when there was nothing to do yet, because everything was late
			this.delayQueue.schedule(new BookingTask(Step.FOLLOW_UP, booking).dueAt(followUp.dueAt()));
		}
	}

	@GetMapping("/{id}")
	@Operation(summary = "Look at a booking and its three tasks")
	Booking get(@PathVariable String id) {
		return this.bookings.find(id).orElseThrow(() -> Problems.notFound("booking", id));
	}

	record NewBooking(@NotBlank @Size(max = 40) @Schema(example = "+33 1 23 45 67 89") String phone,
			@NotNull @Schema(example = "2026-11-20T19:00:00+01:00[Europe/Paris]") ZonedDateTime startsAt,
			@NotNull @Schema(example = "2026-11-20T21:00:00+01:00[Europe/Paris]") ZonedDateTime endsAt) {

	}

}
