package io.github.delayqueue.failover;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * Hints for native images: without them the settings of the drivers can be neither read
 * nor changed. Public for wiring.
 */
public class DriverRuntimeHints implements RuntimeHintsRegistrar {

	private static final String LETTUCE = "io.lettuce.core.RedisClient";

	/** A method of clusters, of which each generation of Jedis has another class. */
	static final String NODES = "getClusterNodes";

	/**
	 * Of what there is a {@linkplain OwnConnections#view view}, and the client that has
	 * to be there.
	 */
	private static final Map<String, String> VIEWS = Map.of("io.lettuce.core.resource.ClientResources", LETTUCE,
			"org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration", LETTUCE,
			"org.springframework.data.redis.connection.jedis.JedisClientConfiguration", "redis.clients.jedis.Jedis");

	// Here, because the classes that use them need their driver, and only one may be
	// there

	private static final List<String> JEDIS_CLUSTERS = List.of("redis.clients.jedis.JedisCluster",
			"redis.clients.jedis.RedisClusterClient");

	/** Fields that are read, by class. */
	private static final Map<String, String> LETTUCE_FIELDS = Map.of(
			"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", "configuration", LETTUCE,
			"redisURI");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		VIEWS.forEach((type, client) -> {
			if (ClassUtils.isPresent(client, classLoader)) {
				TypeReference viewed = TypeReference.of(type);
				hints.proxies().registerJdkProxy(viewed);
				hints.reflection().registerType(viewed, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
		});
		JEDIS_CLUSTERS.forEach((type) -> hints.reflection()
			.registerTypeIfPresent(classLoader, type,
					(hint) -> hint.withMethod(NODES, List.of(), ExecutableMode.INVOKE)));
		// no category: that for the access to fields has another name in each generation
		// of Spring
		LETTUCE_FIELDS.forEach((type, field) -> hints.reflection()
			.registerTypeIfPresent(classLoader, type, (hint) -> hint.withField(field)));
	}

}
