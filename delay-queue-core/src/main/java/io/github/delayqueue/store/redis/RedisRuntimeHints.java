package io.github.delayqueue.store.redis;

import org.jspecify.annotations.Nullable;
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
		// no category: that for the access to fields has another name in each generation
		// of Spring
		LettuceConnections.FIELDS.forEach((type, field) -> hints.reflection()
			.registerTypeIfPresent(classLoader, type, (hint) -> hint.withField(field)));
	}

}
