package io.github.delayqueue.config;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep besides what drivers need. */
class DelayQueueRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.of("**/*.lua", "journal/*.sql")
			.forEach((pattern) -> hints.resources().registerPattern("io/github/delayqueue/" + pattern));
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.springframework.orm.jpa.JpaTransactionManager",
					(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
	}

}
