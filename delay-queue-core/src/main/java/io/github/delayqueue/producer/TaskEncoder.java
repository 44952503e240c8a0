package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Instant;
import java.util.function.Function;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;

/**
 * Makes of requests what a store takes: generates missing ids, writes payloads as JSON.
 */
final class TaskEncoder {

	private final TaskCodec codec;

	private final Function<String, QueueOptions> settings;

	private final TaskIds ids = new TaskIds(System::currentTimeMillis);

	/** Says when a recurring task is run first. */
	private volatile Clock clock = Clock.systemUTC();

	TaskEncoder(TaskCodec codec, Function<String, QueueOptions> settings) {
		this.codec = codec;
		this.settings = settings;
	}

	void setClock(Clock clock) {
		this.clock = clock;
	}

	EncodedTask encode(TaskRequest request) {
		String queue = request.queue();
		boolean generated = request.id() == null;
		String id = generated ? this.ids.next() : request.id();
		DueTime due = request.due(this.clock);
		byte[] envelope = this.codec.writeEnvelope(queue, id, request.toPayload(), request.headers(),
				options(request, due), this.settings.apply(queue).maxPayloadBytes());
		return new EncodedTask(queue,
				new NewTask(id, envelope, due, request.priority(), request.onDuplicate(), generated));
	}

	private static TaskOptions options(TaskRequest request, DueTime due) {
		TaskOptions options = request.options();
		Recurrence recurrence = options.recurrence();
		if (recurrence == null || recurrence.first() != null) {
			return options;
		}
		return options.withRecurrence(recurrence.from(Instant.ofEpochMilli(due.millis())));
	}

}
