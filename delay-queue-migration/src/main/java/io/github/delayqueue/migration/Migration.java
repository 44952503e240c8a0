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
 *
 * @param to the queue that it is moved to
 * @param tasks makes tasks with an id: of the same entry one with the same id each time
 * @param connectionFactory connections to the source, {@code null} for those of the delay
 * queue
 */
public record Migration(Source source, String to, EntryFunction<TaskRequest.Builder> tasks,
		@Nullable RedisConnectionFactory connectionFactory) implements AopInfrastructureBean {

	/** The source: name of the queue of Redisson, or key of the sorted set. */
	public String from() {
		return this.source.name();
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
