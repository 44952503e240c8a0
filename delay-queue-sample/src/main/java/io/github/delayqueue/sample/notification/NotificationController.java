package io.github.delayqueue.sample.notification;

import java.time.Clock;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
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
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Notifications. The task has the user's name for its id, and what is scheduled under an
 * id replaces what was: a user who causes ten notifications gets the last one.
 */
@RestController
@RequestMapping("/notifications")
@Tag(name = "Notifications", description = "Sent after a moment; a newer one replaces it")
class NotificationController {

	private final DelayQueueOperations delayQueue;

	private final Records<Notification> notifications;

	private final SampleProperties properties;

	private final Clock clock;

	NotificationController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory, SampleProperties properties,
			Clock clock) {
		this.delayQueue = delayQueue;
		this.notifications = recordsFactory.records("notification", Notification.class);
		this.properties = properties;
		this.clock = clock;
	}

	@PostMapping
	@Operation(summary = "Notify a user, in place of what has not been sent yet")
	ResponseEntity<Notification> create(@Valid @RequestBody NewNotification request) {
		Notification notification = Notification.waiting(request.user(), request.text(),
				this.clock.instant().plus(this.properties.notification().delay()));
		this.delayQueue.schedule(NotificationListener.QUEUE, notification.user(), notification, notification.dueAt());
		Notification saved = this.notifications
			.update(notification.user(), notification,
					(current) -> current.equals(notification) ? current : notification.inPlaceOf(current))
			.after();
		return Created.at(saved.user(), saved);
	}

	@GetMapping("/{user}")
	@Operation(summary = "Look at the latest notification of a user")
	Notification get(@PathVariable String user) {
		return this.notifications.find(user).orElseThrow(() -> Problems.notFound("notification for", user));
	}

	record NewNotification(
			@NotNull @Pattern(regexp = "[\\p{L}\\p{N} ._@+-]{1,64}",
					message = "must be 1 to 64 letters, digits, spaces and . _ @ + -") String user,
			@NotBlank @Size(max = 2000) String text) {

	}

}
