package io.github.delayqueue.migration;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * What is to be moved from where to which queue. For users: declare a bean of it, made by
 * {@link RedissonMigration} or {@link SortedSetMigration}. It does nothing by itself;
 * with {@code delay-queue.migration.enabled=true} the {@link MigrationRunner} moves what
 * it describes, as long as the application runs. Immutable.
 */
public final class Migration {

	private final Source source;

	private final String queue;

	private final TaskFactory tasks;

	private final @Nullable RedisConnectionFactory connectionFactory;

	Migration(Source source, @Nullable String queue, TaskFactory tasks,
			@Nullable RedisConnectionFactory connectionFactory) {
		if (queue == null) {
			throw new DelayQueueException(null, null,
					"Migration from '" + source.name() + "' has no queue to move to: name it by to(…)");
		}
		this.source = source;
		this.queue = Names.requireQueue(queue);
		this.tasks = tasks;
		this.connectionFactory = connectionFactory;
	}

	static String requireName(String name) {
		if (Objects.requireNonNull(name, "name must not be null").isEmpty()) {
			throw new DelayQueueException(null, null, "Migration: the name of what is moved must not be empty");
		}
		return name;
	}

	/**
	 * What is moved.
	 * @return name of the queue of Redisson, or key of the sorted set
	 */
	public String from() {
		return this.source.name();
	}

	/**
	 * Where it is moved to.
	 * @return the queue
	 */
	public String to() {
		return this.queue;
	}

	Source source() {
		return this.source;
	}

	TaskFactory tasks() {
		return this.tasks;
	}

	/**
	 * Where the source is.
	 * @return the connections, {@code null} for those of the delay queue
	 */
	@Nullable RedisConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	@Override
	public String toString() {
		return "Migration from '" + from() + "' to queue '" + to() + "'";
	}

}
