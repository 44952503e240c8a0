package io.github.delayqueue.benchmark.peers;

import com.github.kagkarlsson.scheduler.serializer.Serializer;

import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Payloads;

/**
 * Payloads as JSON for db-scheduler, which takes Java's serialization by default.
 */
final class PayloadSerializer implements Serializer {

	@Override
	public byte[] serialize(Object data) {
		return Payloads.toJson((Payload) data);
	}

	@Override
	public <T> T deserialize(Class<T> type, byte[] json) {
		return type.cast(Payloads.fromJson(json));
	}

}
