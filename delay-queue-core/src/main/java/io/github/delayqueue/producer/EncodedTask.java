package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Instant;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.options.NeedsOption;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/** A task that is checked and written as JSON, ready to be sent. For parts. */
public record EncodedTask(String queue, NewTask task) {

	/** Check a request, and write it. */
	static EncodedTask of(TaskRequest request, TaskIds ids, Clock clock, TaskCodec codec, QueueOptions settings) {
		String queue = request.queue();
		boolean generated = request.id() == null;
		String id = generated ? ids.next() : request.id();
		DueTime due = request.due(clock);
		byte[] envelope = codec.writeEnvelope(queue, id, request.toPayload(), request.headers(), options(request, due),
				settings.maxPayloadBytes());
		for (TaskPart part : request.parts()) {
			if (part instanceof NeedsOption needing && !settings.get(needing.needs())) {
				throw new DelayQueueException(queue, id, "Queue '" + queue + "' takes no task with a " + part.name()
						+ ": set " + Option.prefixOf(queue) + needing.needs());
			}
			envelope = part.mark(envelope);
		}
		return new EncodedTask(queue, new NewTask(id, envelope, due, request.priority(),
				Replacement.of(request.onDuplicate()), generated, request.parts()));
	}

	private static TaskOptions options(TaskRequest request, DueTime due) {
		TaskOptions options = request.options();
		Recurrence recurrence = options.recurrence();
		return (recurrence == null || recurrence.first() != null) ? options
				: options.withRecurrence(recurrence.from(Instant.ofEpochMilli(due.millis())));
	}

	public String id() {
		return this.task.id();
	}

	/** Its size. */
	public int bytes() {
		return this.task.envelope().length;
	}

}
