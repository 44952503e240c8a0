package io.github.delayqueue.failover;

import java.util.List;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * For subscriptions where a primary and its replicas are listed: the driver finds the
 * primary among them for commands, but refuses to subscribe. Each subscription looks for
 * the primary anew. A replica does as well if nobody tells which one is the primary, as
 * it passes on what its primary publishes.
 * <p>
 * A factory of the driver's class, or it would be taken for one whose subscriptions hold
 * a thread.
 */
final class PrimarySubscriptions extends LettuceConnectionFactory {

	private final List<LettuceConnectionFactory> nodes;

	/**
	 * The nodes make connections that are not shared, and come back by themselves. They
	 * are started and ended by others.
	 */
	PrimarySubscriptions(RedisStaticMasterReplicaConfiguration configuration, List<LettuceConnectionFactory> nodes) {
		super(configuration);
		this.nodes = nodes;
	}

	@Override
	public RedisConnection getConnection() {
		RedisConnection replica = null;
		DataAccessException failure = null;
		for (LettuceConnectionFactory node : this.nodes) {
			RedisConnection connection = node.getConnection();
			try {
				if (isPrimary(connection)) {
					close(replica);
					return connection;
				}
				if (replica == null) {
					replica = connection;
				}
				else {
					close(connection);
				}
			}
			catch (DataAccessException ex) {
				close(connection);
				failure = ex;
			}
		}
		if (replica != null) {
			return replica;
		}
		throw (failure != null) ? failure : new RedisConnectionFailureException("No server is listed");
	}

	/** Without one, the driver would know none from then on. */
	void requirePrimary() {
		try (RedisConnection connection = getConnection()) {
			if (!isPrimary(connection)) {
				throw new RedisConnectionFailureException("No server that is listed is a primary");
			}
		}
	}

	private static boolean isPrimary(RedisConnection connection) {
		Properties info = ServerState.unlessRefused(() -> connection.serverCommands().info("replication"));
		return "master".equals(info.getProperty("role"));
	}

	private static void close(@Nullable RedisConnection connection) {
		if (connection != null) {
			connection.close();
		}
	}

}
