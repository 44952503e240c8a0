package io.github.delayqueue.failover;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to Sentinels. After a fail-over that an operator asked for, the old primary
 * goes on to accept what its clients write until the Sentinels make it a replica, ten
 * seconds later or more, and then it forgets all that. The driver by itself notices only
 * then.
 */
final class SentinelWatch {

	private static final Logger logger = LoggerFactory.getLogger(SentinelWatch.class);

	private static final String CHANNEL = "+switch-master";

	/** Sentinels tell each other every two seconds. */
	private static final Duration AGREEMENT = Duration.ofSeconds(4);

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final RedisClient client;

	private final RedisURI uri;

	private final Consumer<String> listener;

	private final Map<RedisURI, StatefulRedisPubSubConnection<String, String>> connections = new ConcurrentHashMap<>();

	private final AtomicReference<String> primary = new AtomicReference<>("");

	SentinelWatch(RedisClient client, RedisURI uri, Consumer<String> listener) {
		this.client = client;
		this.uri = uri;
		this.listener = listener;
	}

	/** Connect in the background to each Sentinel that there is no connection to. */
	void listen() {
		for (RedisURI sentinel : this.uri.getSentinels()) {
			if (!this.connections.containsKey(sentinel)) {
				this.client.connectPubSubAsync(StringCodec.UTF8, sentinel).whenComplete((connection, error) -> {
					if (connection != null) {
						subscribe(sentinel, connection);
					}
					else {
						logger.debug("Sentinel {} cannot be listened to", sentinel, error);
					}
				});
			}
		}
	}

	private void subscribe(RedisURI sentinel, StatefulRedisPubSubConnection<String, String> connection) {
		if (this.connections.putIfAbsent(sentinel, connection) != null) {
			connection.closeAsync();
			return;
		}
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				onMessage(message);
			}

		});
		connection.async().subscribe(CHANNEL);
	}

	/** Name, old address, new address: each Sentinel says so. */
	private void onMessage(String message) {
		String[] parts = message.split(" ");
		if (parts.length != 5 || !parts[0].equals(this.uri.getSentinelMasterId())) {
			return;
		}
		String address = parts[3] + ":" + parts[4];
		if (!address.equals(this.primary.getAndSet(address))) {
			this.listener.accept(address);
		}
	}

	/**
	 * Until the Sentinel that a connection would ask names it, but not for long: the
	 * connection that was is useless whether or not a Sentinel can be asked.
	 */
	void awaitAgreement(String address) {
		long giveUpAt = System.nanoTime() + AGREEMENT.toNanos();
		try (StatefulRedisSentinelConnection<String, String> sentinel = this.client.connectSentinel()) {
			while (!isPrimary(sentinel, address) && System.nanoTime() - giveUpAt < 0) {
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
		catch (RuntimeException ex) {
			logger.debug("No Sentinel could be asked for the primary; connecting to it without that", ex);
		}
	}

	private boolean isPrimary(StatefulRedisSentinelConnection<String, String> sentinel, String address) {
		return sentinel.sync().getMasterAddrByName(this.uri.getSentinelMasterId()) instanceof InetSocketAddress primary
				&& address.equals(primary.getHostString() + ":" + primary.getPort());
	}

}
