package io.github.delayqueue.sample.message;

import java.time.ZonedDateTime;

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
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Messages that are sent at a date and time. Where that is past, the message is sent at
 * once.
 */
@RestController
@RequestMapping("/messages")
@Tag(name = "Messages", description = "A message that is sent at a given date and time")
class MessageController {

	private final DelayQueueOperations delayQueue;

	private final Records<Message> messages;

	MessageController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory) {
		this.delayQueue = delayQueue;
		this.messages = recordsFactory.records("message", Message.class);
	}

	@PostMapping
	@Operation(summary = "Have a message sent")
	ResponseEntity<Message> create(@Valid @RequestBody NewMessage request) {
		Message message = new Message(this.messages.nextId(), request.content(), Message.Status.SCHEDULED,
				request.sendAt(), null);
		this.delayQueue.schedule(MessageListener.QUEUE, message.id(), message, message.sendAt().toInstant());
		this.messages.saveIfAbsent(message.id(), message);
		return Created.at(message.id(), message);
	}

	@GetMapping("/{id}")
	@Operation(summary = "Look at a message")
	Message get(@PathVariable String id) {
		return this.messages.find(id).orElseThrow(() -> Problems.notFound("message", id));
	}

	record NewMessage(@NotBlank @Size(max = 2000) String content,
			@NotNull @Schema(example = "2026-11-20T18:00:00+01:00[Europe/Paris]") ZonedDateTime sendAt) {

	}

}
