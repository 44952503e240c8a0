package io.github.delayqueue.migration;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

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
	 * @param <P> type of the payload
	 * @param reader makes the payload of a task of a value
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
	 * @param dueElements whether it is
	 * @return this description
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
		return build(RedissonLayout.of(name(), this.dueElements), (key, value, stored) -> payload.read(value), true,
				(key, value) -> key);
	}

}
