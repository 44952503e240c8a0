package io.github.delayqueue.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: the files of the page. Public for wiring.
 */
public class DashboardRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (String extension : PageFiles.EXTENSIONS) {
			hints.resources().registerPattern("io/github/delayqueue/dashboard/*." + extension);
		}
	}

}
