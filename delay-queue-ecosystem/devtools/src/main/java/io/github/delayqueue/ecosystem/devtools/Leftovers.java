package io.github.delayqueue.ecosystem.devtools;

import java.util.List;

/**
 * Threads that belong to the application as it was before it was restarted.
 */
final class Leftovers {

	private Leftovers() {
	}

	/**
	 * Find them.
	 * @return their names
	 */
	static List<String> find() {
		ClassLoader current = Leftovers.class.getClassLoader();
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> {
			ClassLoader loader = thread.getContextClassLoader();
			return loader != null && loader != current && loader.getClass() == current.getClass();
		})
			.map(Thread::getName)
			.filter((name) -> name.startsWith("delay-queue") || name.startsWith("lettuce"))
			.sorted()
			.toList();
	}

}
