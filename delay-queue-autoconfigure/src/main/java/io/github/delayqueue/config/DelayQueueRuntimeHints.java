package io.github.delayqueue.config;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep besides what the store needs: the scripts of
 * migrations, and those that create tables.
 */
class DelayQueueRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/delayqueue/migration/*.lua");
		hints.resources().registerPattern("io/github/delayqueue/journal/*.sql");
	}

}
