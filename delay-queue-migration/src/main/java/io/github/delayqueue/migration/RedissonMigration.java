package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;

/**
 * Describes how to move the elements of a {@code RDelayedQueue} of Redisson: <pre>{@code
 * RedissonMigration.from("orders").to("order_timeout")
 *     .payload(RedissonPayloads.json(Order.class)).id(Order::number).build()
 * }</pre> Moved is what waits, with its due time, and what is due and lies in the
 * destination queue. Redisson may go on meanwhile, on all instances: an element that its
 * threads take out is theirs, one that is moved is seen by them no more. For users. Not
 * thread-safe.
 *
 * @param <T> type of the payload
 */
public final class RedissonMigration<T> extends MigrationBuilder<T, RedissonMigration<T>> {

	private @Nullable PayloadReader<T> payload;

	private boolean dueElements = true;

	private RedissonMigration(String name) {
		super(name);
	}

	/**
	 * Start to describe a migration.
	 * @param name the destination queue that was given to {@code getDelayedQueue}, as it
	 * is called in Redis: behind a {@code NameMapper}, the mapped name
	 * @return the description, which needs {@link #to(String)} and
	 * {@link #payload(PayloadReader)}
	 */
	public static RedissonMigration<?> from(String name) {
		return new RedissonMigration<>(name);
	}

	/**
	 * How to read values. They are as the codec of the {@code RDelayedQueue} has written
	 * them.
	 * @return this description, without {@code id} and {@code task}, which come after
	 */
	@SuppressWarnings("unchecked")
	public <P> RedissonMigration<P> payload(PayloadReader<P> reader) {
		RedissonMigration<P> typed = (RedissonMigration<P>) withoutIdAndTask();
		typed.payload = Objects.requireNonNull(reader, "reader must not be null");
		return typed;
	}

	/**
	 * Whether what lies in the destination queue is moved as well, to be due at once.
	 * Default: yes. With {@code false} it is left to those who take from it.
	 */
	public RedissonMigration<T> dueElements(boolean dueElements) {
		this.dueElements = dueElements;
		return this;
	}

	@Override
	public Migration build() {
		PayloadReader<T> payload = this.payload;
		if (payload == null) {
			throw invalid(" cannot read values: say how by payload(…), for instance with one of RedissonPayloads");
		}
		return build(source(), (key, value, stored) -> payload.read(value), true, (key, value) -> key);
	}

	/**
	 * A sorted set of packed elements by due time, a list of the same in the order they
	 * were offered, and a list of plain values that are due, the destination queue.
	 */
	private Source source() {
		String scores = key("redisson_delay_queue_timeout", name());
		String list = key("redisson_delay_queue", name());
		List<String> waiting = List.of(scores, list);
		// along the list, because what is taken is then found near its head
		Source.Place inOrder = new Source.Place(list, false, false, waiting);
		Source.Place others = new Source.Place(scores, true, false, waiting);
		Source.Place due = new Source.Place(name(), false, true, List.of(name()));
		return new Source(name(), this.dueElements ? List.of(inOrder, others, due) : List.of(inOrder, others), 1,
				RedissonMigration::unpack);
	}

	/** As Redisson does it, for which any brace is one of a hash tag. */
	private static String key(String prefix, String name) {
		return prefix + ":" + (name.contains("{") ? name : "{" + name + "}");
	}

	/**
	 * What {@code struct.pack} of Lua has packed, with numbers in the byte order of the
	 * server: newer versions as {@code Bc0Lc0}, that is length of the random id, random
	 * id, length of the value, value; older ones as {@code dLc0}, with a random number of
	 * eight bytes in place of the id. Each is told by whether its lengths add up.
	 */
	static byte[] unpack(byte[] packed) {
		int idBytes = (packed.length > 0) ? packed[0] & 0xff : 0;
		for (int lengthAt : new int[] { 1 + idBytes, Double.BYTES }) {
			int start = lengthAt + Long.BYTES;
			if (start <= packed.length) {
				long length = ByteBuffer.wrap(packed).getLong(lengthAt);
				int rest = packed.length - start;
				if (length == rest || Long.reverseBytes(length) == rest) {
					return Arrays.copyOfRange(packed, start, packed.length);
				}
			}
		}
		throw new DelayQueueException(null, null, "It is not packed as Redisson packs the elements of a RDelayedQueue");
	}

}
