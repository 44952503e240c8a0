package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Describes how to move the members of a sorted set whose scores are due times:
 * <pre>{@code
 * SortedSetMigration.from("order:timeouts").to("order_timeout").build()
 * }</pre> makes of each member a task with the member as its id. Whoever polls the sorted
 * set may go on meanwhile, if it takes as its own only what its {@code ZREM} has removed.
 * For users. Not thread-safe.
 *
 * @param <T> type of the payload; without one, the member
 */
public final class SortedSetMigration<T> {

	private final String key;

	private final MemberReader<T> payload;

	/** Without, the handler gets the id. */
	private final boolean hasPayload;

	private @Nullable String queue;

	private TimeUnit unit = TimeUnit.MILLISECONDS;

	private @Nullable Function<? super T, String> id;

	private BiConsumer<? super T, TaskRequest.Builder> task = (value, request) -> {
	};

	private @Nullable RedisConnectionFactory connectionFactory;

	private SortedSetMigration(String key, MemberReader<T> payload, boolean hasPayload) {
		this.key = key;
		this.payload = payload;
		this.hasPayload = hasPayload;
	}

	/**
	 * Start to describe a migration.
	 * @param key the sorted set
	 * @return the description, which needs {@link #to(String)}
	 */
	public static SortedSetMigration<String> from(String key) {
		return new SortedSetMigration<>(Migration.requireName(key), (member, stored) -> member, false);
	}

	/**
	 * Where the members are moved to.
	 * @param queue the queue
	 * @return this description
	 */
	public SortedSetMigration<T> to(String queue) {
		this.queue = queue;
		return this;
	}

	/**
	 * What the scores count, since the epoch. Default: milliseconds.
	 * @param unit seconds or milliseconds
	 * @return this description
	 */
	public SortedSetMigration<T> scores(TimeUnit unit) {
		if (unit != TimeUnit.SECONDS && unit != TimeUnit.MILLISECONDS) {
			throw new DelayQueueException(this.queue, null,
					"Migration from '" + this.key + "': scores can be SECONDS or MILLISECONDS, not " + unit);
		}
		this.unit = unit;
		return this;
	}

	/**
	 * How to find payloads: in the member, or beside the sorted set. Default: none, the
	 * handler gets the id.
	 * @param <P> type of the payload
	 * @param reader finds the payload of a member
	 * @return a description without {@link #id(Function)} and {@link #task(BiConsumer)},
	 * which come after this one
	 */
	public <P> SortedSetMigration<P> payload(MemberReader<P> reader) {
		SortedSetMigration<P> typed = new SortedSetMigration<>(this.key,
				Objects.requireNonNull(reader, "reader must not be null"), true);
		typed.queue = this.queue;
		typed.unit = this.unit;
		typed.connectionFactory = this.connectionFactory;
		return typed;
	}

	/**
	 * Which id a task gets. If the queue has a task of that id already, the member is
	 * dropped: it has been scheduled anew. Default: the member.
	 * @param id answers the id for a payload, or without payloads for a member, the same
	 * each time
	 * @return this description
	 */
	public SortedSetMigration<T> id(Function<? super T, String> id) {
		this.id = Objects.requireNonNull(id, "id must not be null");
		return this;
	}

	/**
	 * What else is set on a task, such as priority or headers. Id, due time and what
	 * happens to duplicates are set afterwards. It may recur by a cron expression, but
	 * not in steps.
	 * @param task is given payload, or without payloads member, and request
	 * @return this description
	 */
	public SortedSetMigration<T> task(BiConsumer<? super T, TaskRequest.Builder> task) {
		this.task = Objects.requireNonNull(task, "task must not be null");
		return this;
	}

	/**
	 * Where the sorted set is. Default: where the delay queue has its own data.
	 * @param connectionFactory connections to it
	 * @return this description
	 */
	public SortedSetMigration<T> connectionFactory(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory must not be null");
		return this;
	}

	/**
	 * Finish the description.
	 * @return the migration
	 * @throws DelayQueueException if the queue is missing
	 */
	public Migration build() {
		return new Migration(new SortedSetLayout(this.key, this.unit.toMillis(1)), this.queue, tasks(),
				this.connectionFactory);
	}

	private TaskFactory tasks() {
		String queue = String.valueOf(this.queue);
		MemberReader<T> payload = this.payload;
		boolean hasPayload = this.hasPayload;
		Function<? super T, String> id = this.id;
		BiConsumer<? super T, TaskRequest.Builder> task = this.task;
		return (key, value, stored) -> {
			String member = text(value);
			T read = payload.read(member, stored);
			if (read == null) {
				throw new UnreadableEntryException("The reader of payloads answers null");
			}
			TaskRequest.Builder request = TaskRequest.queue(queue);
			if (hasPayload) {
				request.payload(read);
			}
			task.accept(read, request);
			return request.id((id != null) ? id.apply(read) : member);
		};
	}

	private static String text(byte[] member) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(member)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new UnreadableEntryException("The member is not text in UTF-8");
		}
	}

}
