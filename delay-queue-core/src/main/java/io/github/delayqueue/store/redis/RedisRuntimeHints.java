package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: without them the scripts are missing, no driver is found, and
 * the settings of Lettuce cannot be read. Public for wiring.
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
