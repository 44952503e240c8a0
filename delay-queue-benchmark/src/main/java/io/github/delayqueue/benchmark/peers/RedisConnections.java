package io.github.delayqueue.benchmark.peers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.delayqueue.benchmark.Servers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Connections by Lettuce, closed together.
 */
final class RedisConnections implements AutoCloseable {

	private final RedisClient client;

	private final boolean owner;

	private final List<StatefulConnection<?, ?>> open = new CopyOnWriteArrayList<>();

	RedisConnections(Servers servers) {
		this(RedisClient.create(RedisURI.create(servers.redisHost(), servers.redisPort())), true);
	}

	private RedisConnections(RedisClient client, boolean owner) {
		this.client = client;
		this.owner = owner;
	}

	static String client() {
		return "Lettuce " + RedisClient.class.getPackage().getImplementationVersion();
	}

	/**
	 * Connections that can be closed earlier.
	 * @return a set of its own, of the same client
	 */
	RedisConnections more() {
		return new RedisConnections(this.client, false);
	}

	StatefulRedisConnection<String, String> open() {
		StatefulRedisConnection<String, String> connection = this.client.connect();
		this.open.add(connection);
		return connection;
	}

	StatefulRedisPubSubConnection<String, String> openPubSub() {
		StatefulRedisPubSubConnection<String, String> connection = this.client.connectPubSub();
		this.open.add(connection);
		return connection;
	}

	@Override
	public void close() {
		this.open.forEach(StatefulConnection::close);
		this.open.clear();
		if (this.owner) {
			this.client.shutdown();
		}
	}

}
