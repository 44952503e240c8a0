package io.github.delayqueue.sample.digest;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;
import io.github.delayqueue.sample.web.Problems;

/**
 * Digests.
 */
@RestController
@RequestMapping("/digests")
@Tag(name = "Digests", description = "Every morning at nine, a recurring task")
class DigestController {

	private final Records<DigestBook> books;

	private final Tally tally;

	private final DelayQueueOperations delayQueue;

	DigestController(RecordsFactory recordsFactory, Tally tally, DelayQueueOperations delayQueue) {
		this.books = recordsFactory.records("digest", DigestBook.class);
		this.tally = tally;
		this.delayQueue = delayQueue;
	}

	@GetMapping
	@Operation(summary = "Look at the digests, and at what the next one will say")
	Digests get() {
		Instant nextAt = this.delayQueue.find(DigestListener.QUEUE, DigestListener.ID)
			.filter((task) -> task.state() == TaskState.SCHEDULED)
			.map(TaskDetails::dueAt)
			.orElse(null);
		return new Digests(nextAt, this.tally.running(),
				this.books.find(DigestListener.QUEUE).orElse(DigestBook.EMPTY).digests());
	}

	@PostMapping("/run-now")
	@ResponseStatus(HttpStatus.ACCEPTED)
	@Operation(summary = "Do not wait until nine: the digest of this day is written now, unless it has been")
	void runNow() {
		if (!this.delayQueue.reschedule(DigestListener.QUEUE, DigestListener.ID, Duration.ZERO)) {
			throw Problems.conflict("The digest is just being written");
		}
	}

	/**
	 * The digests.
	 *
	 * @param nextAt when the next one is due, {@code null} while one is being written
	 * @param soFar what it will say
	 * @param written the ones before, the latest first
	 */
	record Digests(@Nullable Instant nextAt, Map<String, Long> soFar, List<Digest> written) {

	}

}
