package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

import io.github.delayqueue.DelayQueueException;

/**
 * A {@code RDelayedQueue} in Redis. Redisson keeps a sorted set of packed elements by due
 * time, a list of the same in the order they were offered, and a list of plain values
 * that are due, which is the destination queue.
 * <p>
 * An element is packed by {@code struct.pack} of Lua, with numbers in the byte order of
 * the server: by newer versions as {@code Bc0Lc0}, that is length of the random id,
 * random id, length of the value, value; by older ones as {@code dLc0}, with a random
 * number of eight bytes in place of the id. Each is told by whether its lengths add up.
 */
final class RedissonLayout {

	/** A {@code L} of Lua's {@code struct}. */
	private static final int LENGTH_BYTES = Long.BYTES;

	private RedissonLayout() {
	}

	static Source of(String name, boolean dueElements) {
		byte[] scores = key("redisson_delay_queue_timeout", name);
		byte[] list = key("redisson_delay_queue", name);
		List<byte[]> waiting = List.of(scores, list);
		// along the list, because what is taken is then found near its head
		Source.Place inOrder = new Source.Place(list, false, false, waiting);
		Source.Place others = new Source.Place(scores, true, false, waiting);
		byte[] destination = MovingKeys.bytes(name);
		Source.Place due = new Source.Place(destination, false, true, List.of(destination));
		return new Source(name, dueElements ? List.of(inOrder, others, due) : List.of(inOrder, others), 1,
				RedissonLayout::unpack);
	}

	/** As Redisson does it, for which any brace is one of a hash tag. */
	private static byte[] key(String prefix, String name) {
		return MovingKeys.bytes(prefix + ":" + (name.contains("{") ? name : "{" + name + "}"));
	}

	static byte[] unpack(byte[] packed) {
		int start = (packed.length > 0) ? valueAfter(packed, 1 + (packed[0] & 0xff)) : -1;
		if (start < 0) {
			start = valueAfter(packed, Double.BYTES);
		}
		if (start < 0) {
			throw new DelayQueueException(null, null,
					"It is not packed as Redisson packs the elements of a RDelayedQueue");
		}
		return Arrays.copyOfRange(packed, start, packed.length);
	}

	/** Where the value begins if its length stands there; -1 if that cannot be. */
	private static int valueAfter(byte[] packed, int lengthAt) {
		int start = lengthAt + LENGTH_BYTES;
		if (start > packed.length) {
			return -1;
		}
		long rest = packed.length - start;
		ByteBuffer length = ByteBuffer.wrap(packed, lengthAt, LENGTH_BYTES);
		boolean fits = length.order(ByteOrder.LITTLE_ENDIAN).getLong(lengthAt) == rest
				|| length.order(ByteOrder.BIG_ENDIAN).getLong(lengthAt) == rest;
		return fits ? start : -1;
	}

}
