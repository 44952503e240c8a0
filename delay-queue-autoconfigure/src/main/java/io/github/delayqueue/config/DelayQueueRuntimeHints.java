package io.github.delayqueue.config;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep besides what drivers need. */
class DelayQueueRuntimeHints implements RuntimeHintsRegistrar {

	/** Whether these are there is asked by name, by other modules as well. */
	private static final List<String> OPTIONAL = List.of("io.github.delayqueue.journal.Journal",
			JournalConfiguration.STORE, JournalCheck.JDBC, "io.github.delayqueue.migration.MigrationRunner",
			"jakarta.validation.Validator", "kotlinx.coroutines.reactor.MonoKt",
			"org.springframework.security.core.Authentication");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.of("**/*.lua", "journal/*.sql")
			.forEach((pattern) -> hints.resources().registerPattern("io/github/delayqueue/" + pattern));
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.springframework.orm.jpa.JpaTransactionManager",
					(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE));
		OPTIONAL.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
