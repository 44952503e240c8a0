package io.github.delayqueue.testsupport;

import java.util.stream.Stream;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The drivers that Spring Data Redis knows. Each is loaded when it is used.
 */
public enum Driver {

	LETTUCE {
		@Override
		RedisConnectionFactory create(RedisConfiguration configuration, String clientName) {
			return LettuceDriver.create(configuration, clientName);
		}
	},

	JEDIS {
		@Override
		RedisConnectionFactory create(RedisConfiguration configuration, String clientName) {
			return JedisDriver.create(configuration, clientName);
		}
	};

	/** For tests that say the same of both, beside others that show them to differ. */
	public static final String BY_EFFORT = "io.github.delayqueue.testsupport.Driver#byEffort";

	/**
	 * The drivers of a test that is too dear to be run with both in a quick verdict.
	 * @return both, or Lettuce alone
	 */
	static Stream<Driver> byEffort() {
		return TestEffort.isFull() ? Stream.of(values()) : Stream.of(LETTUCE);
	}

	public RedisConnectionFactory connect(RedisNode server) {
		return connect(Connections.configuration(server));
	}

	public RedisConnectionFactory connect(ClusterServers cluster) {
		return connect(Connections.configuration(cluster));
	}

	/**
	 * Open connections.
	 * @param configuration what to connect to
	 * @return a started connection factory, see {@link Connections#close}
	 */
	public RedisConnectionFactory connect(RedisConfiguration configuration) {
		return connect(configuration, "");
	}

	/**
	 * Open connections that have a name.
	 * @param configuration what to connect to
	 * @param clientName what the server is told
	 * @return a started connection factory, see {@link Connections#close}
	 */
	public RedisConnectionFactory connect(RedisConfiguration configuration, String clientName) {
		return Connections.start(create(configuration, clientName));
	}

	abstract RedisConnectionFactory create(RedisConfiguration configuration, String clientName);

}
