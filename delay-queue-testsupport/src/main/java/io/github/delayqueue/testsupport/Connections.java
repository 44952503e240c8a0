package io.github.delayqueue.testsupport;

import java.util.List;

import io.lettuce.core.resource.ClientResources;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connection factories outside of an application: what they connect to, their start, and
 * their end. A {@link Driver} makes them.
 */
public final class Connections {

	/** Of all factories that connect to nobody: threads of its own take long to end. */
	private static final ClientResources SHARED = ClientResources.create();

	private Connections() {
	}

	/** A factory for an application context that needs one and does not connect. */
	public static LettuceConnectionFactory toNobody() {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
				LettuceClientConfiguration.builder().clientResources(SHARED).build());
	}

	public static RedisStandaloneConfiguration configuration(RedisNode server) {
		return new RedisStandaloneConfiguration(server.host(), server.port());
	}

	public static RedisClusterConfiguration configuration(ClusterServers cluster) {
		return new RedisClusterConfiguration(List.of(cluster.addresses().split(",")));
	}

	/**
	 * Start a connection factory, as an application context does. Most connect only when
	 * they are used.
	 * @param <F> the factory's class
	 */
	public static <F extends RedisConnectionFactory> F start(F connections) {
		try {
			((InitializingBean) connections).afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		((SmartLifecycle) connections).start();
		return connections;
	}

	/**
	 * Close all connections, as an application context does.
	 * @param connections the factory, of any driver
	 */
	public static void close(RedisConnectionFactory connections) {
		try {
			((DisposableBean) connections).destroy();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
