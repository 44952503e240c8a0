package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A store that is told of each id which it does not know that it was generated, so that
 * tests which know nothing of generated ids take the shorter ways there are for them.
 * Public for the packages of the stores.
 */
public final class GeneratedIds {

	private GeneratedIds() {
	}

	/**
	 * Wrap a store.
	 * @param store the store, a {@link TaskStore}
	 * @return one whose new ids are generated
	 */
	public static TaskStore of(TaskStore store) {
		return (TaskStore) Proxy.newProxyInstance(TaskStore.class.getClassLoader(), new Class<?>[] { TaskStore.class },
				(proxy, method, arguments) -> {
					if (method.getName().startsWith("schedule")) {
						arguments[1] = generated(store, (String) arguments[0], tasks(arguments[1]));
					}
					try {
						return method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	@SuppressWarnings("unchecked")
	private static List<NewTask> tasks(Object argument) {
		return (List<NewTask>) argument;
	}

	private static List<NewTask> generated(TaskStore store, String queue, List<NewTask> tasks) {
		Set<String> seen = new HashSet<>();
		List<NewTask> generated = new ArrayList<>();
		for (NewTask task : tasks) {
			boolean isNew = seen.add(task.id()) && task.parts().isEmpty() && tasks.size() <= TaskStore.MAX_BATCH
					&& store.find(queue, task.id()).isEmpty();
			generated.add(isNew
					? new NewTask(task.id(), task.envelope(), task.due(), task.priority(), task.onDuplicate(), true)
					: task);
		}
		return generated;
	}

}
