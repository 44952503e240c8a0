package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.Sources;

/**
 * Builds every key and channel. The name of a queue, or of one of its sources, stands in
 * braces, so that in a cluster all its keys lie in one slot.
 */
final class RedisKeys {

	private final String prefix;

	private final KnownQueues<byte[][]> queues = new KnownQueues<>();

	RedisKeys(String prefix) {
		if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new DelayQueueException(null, null, "Key prefix '" + prefix
					+ "' must not contain braces: they mark the queue name as hash tag. Change delay-queue.key-prefix");
		}
		this.prefix = prefix;
	}

	byte[] key(String queue, QueueKey part) {
		return this.queues.get(queue, this::build)[part.ordinal()];
	}

	/**
	 * A key by its end. Whoever asks has checked the name; should one forget it, no key
	 * is escaped from.
	 */
	byte[] key(String queue, String suffix) {
		return bytes(this.prefix + "{" + Sources.requireName(queue) + "}" + suffix);
	}

	/** A key or channel outside of any queue's slot. */
	byte[] shared(String name) {
		return bytes(this.prefix + name);
	}

	private byte[][] build(String queue) {
		return Stream.of(QueueKey.values()).map((part) -> key(queue, part.suffix())).toArray(byte[][]::new);
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
