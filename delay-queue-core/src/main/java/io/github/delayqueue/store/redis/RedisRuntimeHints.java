package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep for the connections: without it the scripts are not
 * there, no driver seems to be, and what Lettuce is set to cannot be found out. Public
 * for wiring.
 */
public class RedisRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/delayqueue/store/redis/*.lua");
		hints.reflection().registerTypeIfPresent(classLoader, LettuceConnections.CLIENT);
		hints.reflection().registerTypeIfPresent(classLoader, OwnConnections.JEDIS_CLIENT);
		for (String withFields : LettuceConnections.READ_BY_FIELD) {
			hints.reflection().registerTypeIfPresent(classLoader, withFields, MemberCategory.ACCESS_DECLARED_FIELDS);
		}
	}

}
