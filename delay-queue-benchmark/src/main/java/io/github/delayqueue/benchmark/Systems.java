package io.github.delayqueue.benchmark;

import java.util.List;

/**
 * All systems, in the order in which they are shown.
 */
public final class Systems {

	private static final List<SystemType> ALL = List.of();

	private Systems() {
	}

	public static List<SystemType> all() {
		return ALL;
	}

	/**
	 * Look up a system.
	 * @param key its key
	 * @return the system
	 */
	public static SystemType named(String key) {
		return ALL.stream()
			.filter((type) -> type.key().equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No system '" + key + "'; there are " + ALL.stream().map(SystemType::key).toList()));
	}

}
