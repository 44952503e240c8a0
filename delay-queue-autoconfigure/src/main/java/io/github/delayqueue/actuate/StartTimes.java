package io.github.delayqueue.actuate;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ContainerStatus;

/**
 * When containers were first seen running: from then on they have the time of grace that
 * a successful poll gives, so that one that has never polled, or that was started anew
 * after a long pause, is not reported too early. Thread-safe.
 */
class StartTimes {

	private final Map<String, Instant> startTimes = new HashMap<>();

	private final Set<String> stopped = new HashSet<>();

	synchronized void update(List<ContainerStatus> containers, Instant now) {
		forgetAllBut(containers);
		for (ContainerStatus container : containers) {
			String id = container.id();
			if (!container.running()) {
				this.stopped.add(id);
				this.startTimes.remove(id);
			}
			else if (this.stopped.remove(id) || container.lastPollAt() == null) {
				this.startTimes.putIfAbsent(id, now);
			}
		}
	}

	private void forgetAllBut(List<ContainerStatus> containers) {
		Set<String> ids = containers.stream().map(ContainerStatus::id).collect(Collectors.toSet());
		this.startTimes.keySet().retainAll(ids);
		this.stopped.retainAll(ids);
	}

	synchronized @Nullable Instant get(String id) {
		return this.startTimes.get(id);
	}

}
