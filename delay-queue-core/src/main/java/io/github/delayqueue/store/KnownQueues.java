package io.github.delayqueue.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A memory of queues, by their names or those of sources, that a process can do without.
 * Before there are more than {@link #MOST} it is emptied, as if the process had just
 * started: names may be made for tenants, without end. Public for the packages that
 * remember something. Thread-safe.
 *
 * @param <V> what is known
 */
public final class KnownQueues<V> {

	/** How many names are kept. */
	public static final int MOST = 10_000;

	private final Map<String, V> known = new ConcurrentHashMap<>();

	/** Look up a queue, {@code null} if nothing is known of it. */
	public @Nullable V get(String queue) {
		return this.known.get(queue);
	}

	/** Look up a queue, and let it be known if it was not. */
	public V get(String queue, Function<String, V> create) {
		V value = this.known.get(queue);
		return (value != null) ? value : room().computeIfAbsent(queue, create);
	}

	/** Let something be known, and return what was before. */
	public @Nullable V put(String queue, V value) {
		return (this.known.containsKey(queue) ? this.known : room()).put(queue, value);
	}

	/** All that is known; writes through. */
	public Map<String, V> all() {
		return this.known;
	}

	private Map<String, V> room() {
		if (this.known.size() >= MOST) {
			this.known.clear();
		}
		return this.known;
	}

}
