package io.github.delayqueue.journal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A task that this instance has claimed and not settled.
 *
 * @param finished whether its row is deleted, because its holder has handled it
 */
record Claim(long generation, boolean finished) {

	private static final int MAX_REMEMBERED = 200_000;

	/** Bounded: the generation of what is forgotten can be asked for. Thread-safe. */
	static Map<Lease, Claim> remembered() {
		return Collections.synchronizedMap(new LinkedHashMap<>() {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<Lease, Claim> eldest) {
				return size() > MAX_REMEMBERED;
			}

		});
	}

	record Lease(String queue, String taskId, String token) {

	}

}
