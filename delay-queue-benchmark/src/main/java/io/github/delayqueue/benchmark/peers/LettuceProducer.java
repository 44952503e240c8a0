package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Producer;

/**
 * Schedules a single task by a script, and many by a pipeline of what is faster than
 * scripts.
 */
abstract class LettuceProducer implements Producer {

	static final int CHUNK = 1000;

	private final StatefulRedisConnection<String, String> connection;

	private final String add;

	/**
	 * Load the script.
	 * @param connection that all threads share
	 * @param add the script that adds a task
	 */
	LettuceProducer(StatefulRedisConnection<String, String> connection, String add) {
		this.connection = connection;
		this.add = connection.sync().scriptLoad(add);
	}

	@Override
	public final void schedule(BenchTask task) {
		Replies.await(scheduleAsync(task));
	}

	@Override
	public final CompletionStage<?> scheduleAsync(BenchTask task) {
		return this.connection.async().evalsha(this.add, ScriptOutputType.STATUS, keys(task), arguments(task));
	}

	@Override
	public final void scheduleAll(List<BenchTask> tasks) {
		List<RedisFuture<?>> replies = new ArrayList<>();
		for (List<BenchTask> chunk : Chunks.of(tasks, CHUNK)) {
			send(chunk, this.connection.async(), replies::add);
		}
		replies.forEach(Replies::await);
	}

	/**
	 * The keys of the script.
	 * @param task the task
	 * @return the keys
	 */
	abstract String[] keys(BenchTask task);

	/**
	 * The arguments of the script.
	 * @param task the task
	 * @return the arguments
	 */
	abstract String[] arguments(BenchTask task);

	/**
	 * Send commands that add tasks, without waiting for the answers.
	 * @param tasks up to {@value #CHUNK}
	 * @param commands to be called
	 * @param replies takes the answers to come
	 */
	abstract void send(List<BenchTask> tasks, RedisAsyncCommands<String, String> commands,
			Consumer<RedisFuture<?>> replies);

}
