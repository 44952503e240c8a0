package io.github.delayqueue.benchmark.peers;

import java.util.function.Function;

import io.lettuce.core.api.StatefulRedisConnection;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;

/**
 * What designs have in common that are made of commands and scripts: connections by
 * Lettuce, one of which all threads share.
 */
abstract class LettuceSystem implements QueueSystem {

	private final RedisConnections connections;

	private final StatefulRedisConnection<String, String> shared;

	private final Producer producer;

	/**
	 * Connect.
	 * @param servers where Redis is
	 * @param producer makes the producer, for the shared connection
	 */
	LettuceSystem(Servers servers, Function<StatefulRedisConnection<String, String>, Producer> producer) {
		this.connections = new RedisConnections(servers);
		this.shared = this.connections.open();
		this.producer = producer.apply(this.shared);
	}

	/**
	 * Connections for a consumption, closed with it.
	 * @return a set of its own
	 */
	final RedisConnections moreConnections() {
		return this.connections.more();
	}

	final StatefulRedisConnection<String, String> shared() {
		return this.shared;
	}

	@Override
	public final Producer producer() {
		return this.producer;
	}

	@Override
	public final void reset() {
		this.shared.sync().flushdb();
	}

	@Override
	public final void close() {
		this.connections.close();
	}

}
