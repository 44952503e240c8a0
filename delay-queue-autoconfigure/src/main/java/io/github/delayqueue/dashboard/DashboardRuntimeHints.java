package io.github.delayqueue.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

import io.github.delayqueue.actuate.ActionDescriptor;
import io.github.delayqueue.actuate.CheckDescriptor;
import io.github.delayqueue.actuate.DeadDescriptor;
import io.github.delayqueue.actuate.ForecastDescriptor;
import io.github.delayqueue.actuate.HistoryDescriptor;
import io.github.delayqueue.actuate.FoundTasksDescriptor;
import io.github.delayqueue.actuate.InstancesDescriptor;
import io.github.delayqueue.actuate.QueueDescriptor;
import io.github.delayqueue.actuate.QueuesDescriptor;
import io.github.delayqueue.actuate.TaskDescriptor;
import io.github.delayqueue.actuate.TasksDescriptor;
import io.github.delayqueue.actuate.UnreadableQueueDescriptor;

/**
 * Hints for native images: the files of the page, types that are written as JSON, and the
 * types that show whether there is Spring Security. Public for wiring.
 */
public class DashboardRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (String extension : PageFiles.EXTENSIONS) {
			hints.resources().registerPattern("io/github/delayqueue/dashboard/*." + extension);
		}
		hints.reflection().registerTypeIfPresent(classLoader, ServletDashboard.CSRF_TOKEN);
		hints.reflection().registerTypeIfPresent(classLoader, ReactiveDashboard.CSRF_TOKEN);
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), DashboardApi.About.class,
				InstancesDescriptor.class, QueuesDescriptor.class, QueueDescriptor.class,
				UnreadableQueueDescriptor.class, TasksDescriptor.class, TaskDescriptor.class, ActionDescriptor.class,
				CheckDescriptor.class, ForecastDescriptor.class, HistoryDescriptor.class, FoundTasksDescriptor.class,
				DeadDescriptor.class);
	}

}
