package io.github.delayqueue.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.DeadLetter;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.StoredTask;

/**
 * Moves the dead letters of a queue to the one in which they are handled as dead letters:
 * first they are scheduled there, then they are removed. Who dies in between, and any
 * number of those who do the same at a time, repeat it: a dead letter has an id that
 * names the death, and is not scheduled again while it is there. A death that was not
 * moved is not removed: what has died again meanwhile is another one. It moves when one
 * has died in this application, and as often as its listener polls; always apart from
 * claims and settlements, which do not wait for it.
 */
final class DeadLetterMover {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterMover.class);

	/** They are read whole, and may be large. */
	private static final int PAGE = 20;

	/** After so many others have their turn. */
	private static final int PAGES_PER_TURN = 50;

	private final String source;

	private final String queue;

	private final Duration interval;

	private final ConsumerPart.Scope scope;

	private final BooleanSupplier running;

	private final AtomicBoolean moving = new AtomicBoolean();

	private volatile boolean wanted = true;

	private volatile long lookedAt;

	/** How many have been passed over, because they cannot be moved. */
	private int passedOver;

	private boolean failing;

	DeadLetterMover(String source, String queue, QueueOptions options, ConsumerPart.Scope scope,
			BooleanSupplier running) {
		this.source = source;
		this.queue = queue;
		this.interval = options.pollInterval();
		this.scope = scope;
		this.running = running;
	}

	void died(String queue) {
		if (queue.equals(this.source)) {
			this.wanted = true;
			moveBeside();
		}
	}

	void polled() {
		if (this.wanted || this.scope.threads().nanoTime() - this.lookedAt >= this.interval.toNanos()) {
			moveBeside();
		}
	}

	/** If no thread is left for it, somebody polls later. */
	private void moveBeside() {
		if (this.running.getAsBoolean() && !this.moving.get()) {
			this.scope.threads().beside(this::move);
		}
	}

	/** Move what is there, unless that is being done. */
	void move() {
		if (!this.running.getAsBoolean() || !this.moving.compareAndSet(false, true)) {
			return;
		}
		try {
			int pages = 0;
			boolean more;
			do {
				this.wanted = false;
				this.lookedAt = this.scope.threads().nanoTime();
				more = movePage() || this.wanted;
			}
			while (more && ++pages < PAGES_PER_TURN && this.running.getAsBoolean());
			this.wanted = more;
			this.failing = false;
		}
		catch (RuntimeException | Error ex) {
			if (!this.failing && this.running.getAsBoolean()) {
				logger.warn("The dead letters of queue '{}' cannot be moved to '{}'; it will be tried again: {}",
						this.source, this.queue, Names.printable(ex));
			}
			logger.debug("Stack trace of the failed move from queue '{}'", this.source, ex);
			this.failing = true;
		}
		finally {
			this.moving.set(false);
			// a death since that was last asked saw that somebody is moving
			if (this.wanted) {
				moveBeside();
			}
		}
	}

	/** Whether there may be more that can be moved now. */
	private boolean movePage() {
		List<StoredTask> dead = QueueView.of(this.scope.store())
			.list(this.source, TaskState.DEAD, this.passedOver, PAGE);
		Map<String, Long> moved = new HashMap<>();
		Instant latest = Instant.MIN;
		List<NewTask> letters = new ArrayList<>();
		for (StoredTask task : dead) {
			byte[] envelope = envelope(task);
			if (envelope != null) {
				moved.put(task.id(), Generation.MAX);
				latest = task.at().isAfter(latest) ? task.at() : latest;
				letters.add(new NewTask(letterId(task), envelope, DueTime.in(Duration.ZERO), task.priority(),
						Replacement.REJECT));
			}
		}
		long removed = (!letters.isEmpty() && schedule(letters))
				// what has died again since is another death
				? QueueControl.of(this.scope.store()).purge(this.source, TaskState.DEAD, moved, latest) : 0;
		this.passedOver = (dead.size() == PAGE) ? this.passedOver + dead.size() - letters.size() : 0;
		return dead.size() == PAGE && removed > 0;
	}

	private boolean schedule(List<NewTask> letters) {
		long start = this.scope.threads().nanoTime();
		ScheduleReply reply = this.scope.store().schedule(this.queue, letters, ScheduleOptions.CONFIRMED);
		Duration took = Duration.ofNanos(this.scope.threads().nanoTime() - start);
		int added = letters.size() - Collections.frequency(reply.outcomes(), ScheduleOutcome.REJECTED);
		RuntimeException error = (reply.doubt() != null) ? reply.doubt().error() : null;
		this.scope.events().publish((listener) -> listener.onSchedule(this.queue, added, took, error));
		return reply.doubt() == null;
	}

	/** Nothing for what has no payload that anybody here could know. */
	private byte @Nullable [] envelope(StoredTask task) {
		byte[] envelope = task.envelope();
		if (envelope == null) {
			return null;
		}
		byte[] failure = task.failure();
		try {
			Envelope read = this.scope.codec().readEnvelope(envelope);
			return this.scope.codec()
				.writeEnvelope(task.id(), read, headers(read.headers(), task.id(), (failure != null) ? failure
						: FailureJson.writeFailure(new TaskFailure(null, null, "None is kept", task.at()), null)));
		}
		catch (UnreadableTaskException | UnsupportedEnvelopeException ex) {
			logger.debug("Task '{}' of queue '{}' stays dead there", Names.printable(task.id()), this.source, ex);
			return null;
		}
	}

	private static Map<String, String> headers(Map<String, String> headers, String taskId, byte[] failure) {
		Map<String, String> all = new HashMap<>(headers);
		all.put(DeadLetter.TASK_ID, taskId);
		all.put(DeadLetter.FAILURE, new String(failure, StandardCharsets.UTF_8));
		// headers are shown to more people than stack traces
		TaskFailure described = DeadLetter.failure(all);
		if (described.trace() != null) {
			byte[] shown = FailureJson.writeFailure(described.traced(null), null);
			all.put(DeadLetter.FAILURE, new String(shown, StandardCharsets.UTF_8));
		}
		return all;
	}

	/** The same for the same death, and no other; what is no id may have died of that. */
	private static String letterId(StoredTask task) {
		String death = "@" + task.at().toEpochMilli();
		String id = task.id() + death;
		return (Names.objectionToTaskId(id) == null) ? id
				: UUID.nameUUIDFromBytes(task.id().getBytes(StandardCharsets.UTF_8)) + death;
	}

}
