package io.github.delayqueue.migration;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.migration.Migration.EntryFunction;
import io.github.delayqueue.producer.TaskRequest;

/** What descriptions of migrations have in common. Not thread-safe. */
abstract class MigrationBuilder<T, B extends MigrationBuilder<T, B>> {

	private final String name;

	private @Nullable String queue;

	private @Nullable Function<? super T, String> id;

	private @Nullable BiConsumer<? super T, TaskRequest.Builder> task;

	private @Nullable RedisConnectionFactory connectionFactory;

	MigrationBuilder(String name) {
		if (Objects.requireNonNull(name, "name must not be null").isEmpty()) {
			throw new DelayQueueException(null, null, "Migration: the name of the source must not be empty");
		}
		this.name = name;
	}

	@SuppressWarnings("unchecked")
	private B self() {
		return (B) this;
	}

	/** For payloads of another type. */
	B withoutIdAndTask() {
		this.id = null;
		this.task = null;
		return self();
	}

	/** Where the entries are moved to. */
	public B to(String queue) {
		this.queue = queue;
		return self();
	}

	/**
	 * Which id a task gets. If the queue has a task of that id already, the entry is
	 * dropped: it was there several times, or has been scheduled anew. Default: the
	 * member of a sorted set, an id of its own for each element of Redisson.
	 * @param id answers the id for a payload, or a member without, the same each time
	 */
	public B id(Function<? super T, String> id) {
		this.id = Objects.requireNonNull(id, "id must not be null");
		return self();
	}

	/**
	 * What else is set on a task, such as priority or headers. Id, due time and what
	 * happens to duplicates are set afterwards.
	 * @param task is given payload, or a member without, and request
	 */
	public B task(BiConsumer<? super T, TaskRequest.Builder> task) {
		this.task = Objects.requireNonNull(task, "task must not be null");
		return self();
	}

	/** Where the entries are. Default: where the delay queue has its own data. */
	public B connectionFactory(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory must not be null");
		return self();
	}

	/**
	 * Finish the description.
	 * @throws DelayQueueException if the queue, or how to read payloads, is missing
	 */
	public abstract Migration build();

	String name() {
		return this.name;
	}

	DelayQueueException invalid(String what) {
		return new DelayQueueException(this.queue, null, "Migration from '" + this.name + "'" + what);
	}

	/** Without payloads, what is found is for {@code id} and {@code task} only. */
	Migration build(Source source, EntryFunction<@Nullable T> payload, boolean withPayload,
			BiFunction<String, byte[], String> defaultId) {
		if (this.queue == null) {
			throw invalid(" has no queue to move to: name it by to(…)");
		}
		String queue = Names.requireQueue(this.queue);
		Function<? super T, String> id = this.id;
		BiConsumer<? super T, TaskRequest.Builder> task = this.task;
		return new Migration(source, queue, (key, value, stored) -> {
			T found = payload.read(key, value, stored);
			if (found == null) {
				throw new DelayQueueException(null, null, "The reader of payloads returned null");
			}
			TaskRequest.Builder request = TaskRequest.queue(queue);
			if (withPayload) {
				request.payload(found);
			}
			if (task != null) {
				task.accept(found, request);
			}
			return request.id((id != null) ? id.apply(found) : defaultId.apply(key, value));
		}, this.connectionFactory);
	}

}
