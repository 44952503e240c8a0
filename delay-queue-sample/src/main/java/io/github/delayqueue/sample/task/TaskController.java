package io.github.delayqueue.sample.task;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.sample.web.Problems;

/**
 * Adds a task with a text as its payload to any queue. A real application would not let
 * everybody do so: a caller can fill each queue, and replace tasks by their ids.
 */
@RestController
@RequestMapping("/tasks")
@Tag(name = "Tasks", description = "Any task: queue, id, delay and text")
class TaskController {

	private static final Duration MAX_DELAY = Duration.ofDays(36_500);

	private final DelayQueueOperations delayQueue;

	private final Clock clock;

	TaskController(DelayQueueOperations delayQueue, Clock clock) {
		this.delayQueue = delayQueue;
		this.clock = clock;
	}

	@PostMapping
	@Operation(summary = "Add a task, in place of one of that id",
			description = "The queue 'note' takes texts. Listeners of other queues expect other payloads.")
	ResponseEntity<Added> add(@Valid @RequestBody NewTask request) {
		Instant dueAt = this.clock.instant().plus(duration(request.delay()));
		ScheduleResult result = this.delayQueue.schedule(request.queue(), (task) -> {
			task.payload(request.text()).dueAt(dueAt);
			if (request.id() != null) {
				task.id(request.id());
			}
		});
		URI location = ServletUriComponentsBuilder.fromCurrentRequest()
			.pathSegment("{queue}", "{id}")
			.build(result.queue(), result.taskId());
		return ResponseEntity.created(location)
			.body(new Added(result.queue(), result.taskId(), request.text(), dueAt, result.outcome()));
	}

	@GetMapping("/{queue}/{id}")
	@Operation(summary = "Look at a task until it has been handled")
	Found get(@PathVariable @Pattern(regexp = NewTask.QUEUE, message = NewTask.QUEUE_MESSAGE) String queue,
			@PathVariable String id) {
		TaskDetails task = this.delayQueue.find(queue, id)
			.orElseThrow(() -> Problems.notFound("task of queue '" + queue + "' with the id", id));
		return new Found(queue, id, task.state(), task.dueAt(), task.failures());
	}

	private static Duration duration(String delay) {
		try {
			Duration duration = DurationStyle.detectAndParse(delay);
			// 5 may be meant as seconds, and would be milliseconds
			boolean unit = !delay.matches("[+-]?\\d+");
			if (unit && !duration.isNegative() && duration.compareTo(MAX_DELAY) <= 0) {
				return duration;
			}
		}
		catch (IllegalArgumentException ex) {
			// the same answer
		}
		throw Problems
			.badRequest("delay '" + delay + "' is not a duration from 0s to 36500d, such as 5s, 30m, 2h or PT1H30M");
	}

	record NewTask(@NotNull @Pattern(regexp = QUEUE, message = QUEUE_MESSAGE) @Schema(example = "note") String queue,
			@Nullable @Pattern(regexp = "[\\p{L}\\p{N}][\\p{L}\\p{N} ._@:+-]{0,63}",
					message = "must be 1 to 64 letters, digits, spaces and . _ @ : + -, and begin with a letter or digit") @Schema(
							example = "note-1") String id,
			@NotBlank @Size(max = 32) @Schema(example = "5s") String delay,
			@NotNull @Size(max = 2000) @Schema(example = "hello") String text) {

		static final String QUEUE = "[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}";

		static final String QUEUE_MESSAGE = "must be 1 to 128 letters, digits and _ - . :, and begin with a letter or digit";

	}

	record Added(String queue, String id, String text, Instant dueAt, ScheduleOutcome outcome) {

	}

	record Found(String queue, String id, TaskState state, @Nullable Instant dueAt, int failures) {

	}

}
