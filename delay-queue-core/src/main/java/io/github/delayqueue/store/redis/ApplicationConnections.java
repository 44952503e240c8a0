package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

/**
 * The application's connections, but never the one that is bound to a transaction: there,
 * commands have no reply before the end.
 */
record ApplicationConnections(RedisConnectionFactory application) implements RedisConnectionFactory {

	@Override
	public RedisConnection getConnection() {
		return this.application.getConnection();
	}

	@Override
	public RedisClusterConnection getClusterConnection() {
		return this.application.getClusterConnection();
	}

	@Override
	public RedisSentinelConnection getSentinelConnection() {
		return this.application.getSentinelConnection();
	}

	@Override
	public boolean getConvertPipelineAndTxResults() {
		return this.application.getConvertPipelineAndTxResults();
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return this.application.translateExceptionIfPossible(ex);
	}

}
