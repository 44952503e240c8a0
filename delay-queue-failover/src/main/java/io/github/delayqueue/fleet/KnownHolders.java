package io.github.delayqueue.fleet;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who may hold leases of what this instance consumes. Thread-safe. */
final class KnownHolders {

	/** By source; none of which nobody holds anything. */
	private final Map<String, Known> known = new ConcurrentHashMap<>();

	/** Who may hold leases of a source of a queue. */
	record Known(String queue, String source, List<String> holders) {

		boolean names(String holder) {
			return this.holders.contains(holder);
		}

	}

	/** A claim has been answered. Most answers say the same as the one before. */
	void heard(String queue, String source, List<String> holders) {
		Known before = this.known.get(source);
		if (holders.isEmpty()) {
			if (before != null) {
				this.known.remove(source);
			}
		}
		else if (before == null || !before.holders().equals(holders)) {
			this.known.put(source, new Known(queue, source, holders));
		}
	}

	Collection<Known> all() {
		return this.known.values();
	}

	/** Where any of these may hold leases. */
	Stream<Known> of(String... holders) {
		return all().stream().filter((known) -> Stream.of(holders).anyMatch(known::names));
	}

	/** It may hold none there. */
	void forget(String source, String holder) {
		replace(source, holder, Stream.empty());
	}

	/** It is now known by another name there. */
	void rename(String source, String holder, String name) {
		replace(source, holder, Stream.of(name));
	}

	private void replace(String source, String holder, Stream<String> name) {
		this.known.computeIfPresent(source,
				(key, before) -> new Known(before.queue(), key,
						Stream.concat(name, before.holders().stream().filter((each) -> !each.equals(holder)))
							.distinct()
							.toList()));
	}

	/** What is not consumed any more is none of its business. */
	void retain(Stream<String> sources) {
		Set<String> consumed = sources.collect(Collectors.toSet());
		this.known.keySet().retainAll(consumed);
	}

}
