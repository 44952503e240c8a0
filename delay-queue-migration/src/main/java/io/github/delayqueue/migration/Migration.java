package io.github.delayqueue.migration;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.producer.TaskRequest;

/**
 * A description of the entries to move, and of the queue to move them to. For users:
 * declare a bean of it, made by {@link RedissonMigration} or {@link SortedSetMigration}.
 * It does nothing by itself; with {@code delay-queue.migration.enabled=true} the
 * {@link MigrationRunner} moves what it describes, as long as the application runs.
 * Immutable.
 */
public final class Migration implements AopInfrastructureBean {

	private final Source source;

	private final String queue;

	private final EntryFunction<TaskRequest.Builder> tasks;

	private final @Nullable RedisConnectionFactory connectionFactory;

	Migration(Source source, String queue, EntryFunction<TaskRequest.Builder> tasks,
			@Nullable RedisConnectionFactory connectionFactory) {
		this.source = source;
		this.queue = queue;
		this.tasks = tasks;
		this.connectionFactory = connectionFactory;
	}

	/** The source: name of the queue of Redisson, or key of the sorted set. */
	public String from() {
		return this.source.name();
	}

	/** The queue that it is moved to. */
	public String to() {
		return this.queue;
	}

	Source source() {
		return this.source;
	}

	/** Makes tasks with an id: of the same entry one with the same id each time. */
	EntryFunction<TaskRequest.Builder> tasks() {
		return this.tasks;
	}

	/** Connections to the source, {@code null} for those of the delay queue. */
	@Nullable RedisConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	@Override
	public String toString() {
		return "Migration from '" + from() + "' to queue '" + to() + "'";
	}

	/** Reads an entry, by its key in the moving area and what it holds. */
	@FunctionalInterface
	interface EntryFunction<R extends @Nullable Object> {

		R read(String key, byte[] value, StoredValues stored) throws Exception;

	}

}
