package io.github.delayqueue.producer;

import java.util.function.Function;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.store.NewTask;

/**
 * Makes of requests what a store takes: generates missing ids, writes payloads as JSON.
 */
final class TaskEncoder {

	private final TaskCodec codec;

	private final Function<String, ProducerSettings> settings;

	private final TaskIds ids = new TaskIds(System::currentTimeMillis);

	TaskEncoder(TaskCodec codec, Function<String, ProducerSettings> settings) {
		this.codec = codec;
		this.settings = settings;
	}

	EncodedTask encode(TaskRequest request) {
		String queue = request.queue();
		boolean generated = request.id() == null;
		String id = generated ? this.ids.next() : request.id();
		byte[] envelope = this.codec.writeEnvelope(queue, id, request.hasPayload(), request.payload(),
				request.headers(), request.options(), this.settings.apply(queue).maxPayloadBytes());
		return new EncodedTask(queue,
				new NewTask(id, envelope, request.due(), request.priority(), request.onDuplicate(), generated));
	}

}
