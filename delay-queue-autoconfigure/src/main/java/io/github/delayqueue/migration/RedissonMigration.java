package io.github.delayqueue.migration;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.producer.TaskRequest;

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
public final class RedissonMigration<T> {

	private final String name;

	private final @Nullable PayloadReader<T> payload;

	private @Nullable String queue;

	private @Nullable Function<? super T, String> id;

	private BiConsumer<? super T, TaskRequest.Builder> task = (value, request) -> {
	};

	private boolean dueElements = true;

	private @Nullable RedisConnectionFactory connectionFactory;

	private RedissonMigration(String name, @Nullable PayloadReader<T> payload) {
		this.name = name;
		this.payload = payload;
	}

	/**
	 * Start to describe a migration.
	 * @param name the destination queue that was given to {@code getDelayedQueue}, as it
	 * is called in Redis: behind a {@code NameMapper}, the mapped name
	 * @return the description, which needs {@link #to(String)} and
	 * {@link #payload(PayloadReader)}
	 */
	public static RedissonMigration<?> from(String name) {
		return new RedissonMigration<>(Migration.requireName(name), null);
	}

	/**
	 * Where the elements are moved to.
	 * @param queue the queue
	 * @return this description
	 */
	public RedissonMigration<T> to(String queue) {
		this.queue = queue;
		return this;
	}

	/**
	 * How to read values. They are as the codec of the {@code RDelayedQueue} has written
	 * them.
	 * @param <P> type of the payload
	 * @param reader makes the payload of a task of a value
	 * @return a description without {@link #id(Function)} and {@link #task(BiConsumer)},
	 * which come after this one
	 */
	public <P> RedissonMigration<P> payload(PayloadReader<P> reader) {
		RedissonMigration<P> typed = new RedissonMigration<>(this.name,
				Objects.requireNonNull(reader, "reader must not be null"));
		typed.queue = this.queue;
		typed.dueElements = this.dueElements;
		typed.connectionFactory = this.connectionFactory;
		return typed;
	}

	/**
	 * Which id a task gets. If the queue has a task of that id already, the element is
	 * dropped: it was offered several times, or has been scheduled anew. Default: an id
	 * of its own for each element.
	 * @param id answers the id for a payload, the same each time
	 * @return this description
	 */
	public RedissonMigration<T> id(Function<? super T, String> id) {
		this.id = Objects.requireNonNull(id, "id must not be null");
		return this;
	}

	/**
	 * What else is set on a task, such as priority or headers. Id, due time and what
	 * happens to duplicates are set afterwards. It may recur by a cron expression, but
	 * not in steps.
	 * @param task is given payload and request
	 * @return this description
	 */
	public RedissonMigration<T> task(BiConsumer<? super T, TaskRequest.Builder> task) {
		this.task = Objects.requireNonNull(task, "task must not be null");
		return this;
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

	/**
	 * Where Redisson has its data. Default: where the delay queue has its own.
	 * @param connectionFactory connections to it
	 * @return this description
	 */
	public RedissonMigration<T> connectionFactory(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory must not be null");
		return this;
	}

	/**
	 * Finish the description.
	 * @return the migration
	 * @throws DelayQueueException if the queue or the reader is missing
	 */
	public Migration build() {
		PayloadReader<T> payload = this.payload;
		if (payload == null) {
			throw new DelayQueueException(this.queue, null, "Migration from '" + this.name
					+ "' cannot read values: say how by payload(…), for instance with one of RedissonPayloads");
		}
		return new Migration(new RedissonLayout(this.name, this.dueElements), this.queue,
				tasks(String.valueOf(this.queue), payload, this.id, this.task), this.connectionFactory);
	}

	private static <T> TaskFactory tasks(String queue, PayloadReader<T> payload,
			@Nullable Function<? super T, String> id, BiConsumer<? super T, TaskRequest.Builder> task) {
		return (key, value, stored) -> {
			T read = payload.read(value);
			if (read == null) {
				throw new UnreadableEntryException("The reader of payloads answers null");
			}
			TaskRequest.Builder request = TaskRequest.queue(queue).payload(read);
			task.accept(read, request);
			return request.id((id != null) ? id.apply(read) : key);
		};
	}

}
