package io.github.delayqueue.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: the files of the page, what it writes as JSON besides the
 * answers of {@link io.github.delayqueue.actuate.QueueManagement}, and the types that
 * show whether there is Spring Security. Public for wiring.
 */
public class DashboardRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (String extension : PageFiles.EXTENSIONS) {
			hints.resources().registerPattern("io/github/delayqueue/dashboard/*." + extension);
		}
		hints.reflection().registerTypeIfPresent(classLoader, ServletDashboard.CSRF_TOKEN);
		hints.reflection().registerTypeIfPresent(classLoader, ReactiveDashboard.CSRF_TOKEN);
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), DashboardApi.About.class);
	}

}
