package io.github.delayqueue.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Remembers of which generation the tasks are that this instance has claimed and not
 * settled. Bounded: of what is forgotten the generation can be asked for. Thread-safe.
 */
final class Claimed {

	private static final int MAX = 200_000;

	private final Map<Holder, Long> generations = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Holder, Long> eldest) {
			return size() > MAX;
		}

	};

	synchronized void put(String queue, String taskId, String token, long generation) {
		this.generations.put(new Holder(queue, taskId, token), generation);
	}

	synchronized OptionalLong generation(String queue, String taskId, String token) {
		Long generation = this.generations.get(new Holder(queue, taskId, token));
		return (generation != null) ? OptionalLong.of(generation) : OptionalLong.empty();
	}

	synchronized void remove(String queue, String taskId, String token) {
		this.generations.remove(new Holder(queue, taskId, token));
	}

	private record Holder(String queue, String taskId, String token) {

	}

}
