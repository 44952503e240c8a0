package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happened to tasks while primaries were cut off and replaced, as all processes
 * wrote it down. A fault lasts until all servers agree again.
 */
final class NetworkHistory {

	private static final int SHOWN = 5;

	/**
	 * What was accepted so long before a fault may not have come to a replica by then.
	 */
	private static final long LAG_MILLIS = 1000;

	/** Until all servers know of a new primary, and since some may have. */
	private static final long FAILOVER_MILLIS = 12_000;

	private final Map<String, Task> tasks = new TreeMap<>();

	private final List<Span> faults = new ArrayList<>();

	private final Map<String, Integer> kinds = new TreeMap<>();

	/** The primary of each queue, as it was seen last. */
	private final Map<String, String> primaries = new TreeMap<>();

	/**
	 * A busy machine that stands still for a second is a reason to fail over as well. The
	 * old primary goes on until it is told.
	 */
	private final List<Span> failovers = new ArrayList<>();

	/** How many threads schedule nothing more. */
	private int ended;

	/** By how much the clocks of the servers are apart. */
	private final Duration apart;

	private NetworkHistory(Duration apart) {
		this.apart = apart;
	}

	private record Span(long from, long to) {

		boolean touches(long first, long last) {
			return first < this.to && last > this.from;
		}

	}

	private static final class Task {

		/** The earliest it may be begun, by the machine's clock. */
		private long due = Long.MAX_VALUE;

		private long sentAt;

		private long acceptedAt = Long.MAX_VALUE;

		private final List<Long> begun = new ArrayList<>();

		private int leasesLost;

		private boolean failed;

		private final List<String> lines = new ArrayList<>();

	}

	static NetworkHistory read(Path directory, Duration apart) throws IOException {
		NetworkHistory history = new NetworkHistory(apart);
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(HistoryLog.SUFFIX)).sorted().toList()) {
				Files.readAllLines(file).forEach(history::add);
			}
		}
		history.tasks.values().forEach((task) -> task.begun.sort(null));
		return history;
	}

	private void add(String line) {
		String[] words = line.split(" ");
		long at = Long.parseLong(words[1]);
		switch (words[0]) {
			case "send" -> {
				task(words[2], line).due = Long.parseLong(words[3]);
				task(words[2]).sentAt = at;
			}
			case "sent" -> task(words[2], line).acceptedAt = Math.min(task(words[2]).acceptedAt, at);
			case "failed" -> task(words[2], line).failed = true;
			case "begun" -> {
				Task task = task(words[2], line);
				task.begun.add(at);
				task.leasesLost = Math.max(task.leasesLost, Integer.parseInt(words[3]));
			}
			case "fault" -> {
				this.kinds.merge(words[2], 1, Integer::sum);
				this.faults.add(new Span(at - LAG_MILLIS, Long.MAX_VALUE));
			}
			case "undone" -> this.faults.add(new Span(this.faults.remove(this.faults.size() - 1).from, at));
			case "primary" -> {
				String before = this.primaries.put(words[2], words[3]);
				if (before != null && !before.equals(words[3])) {
					this.failovers.add(new Span(at - FAILOVER_MILLIS, at + FAILOVER_MILLIS));
				}
			}
			case "ended" -> this.ended++;
			default -> {
			}
		}
	}

	private Task task(String id) {
		return this.tasks.computeIfAbsent(id, (key) -> new Task());
	}

	private Task task(String id, String line) {
		Task task = task(id);
		task.lines.add(line);
		return task;
	}

	@Override
	public String toString() {
		return "%d tasks, %d accepted, %d failed calls, %d handled, %d of them more than once; lost %d of the queue without and %d of the one with min-replicas; %d faults %s; %d times a queue had another primary"
			.formatted(this.tasks.size(), count(NetworkHistory::isAccepted), count((task) -> task.failed),
					count((task) -> !task.begun.isEmpty()), count((task) -> task.begun.size() > 1),
					lost(NetworkApplication.ORDERS), lost(NetworkApplication.PAID), this.faults.size(), this.kinds,
					this.failovers.size());
	}

	private long count(Predicate<Task> filter) {
		return count("", filter);
	}

	private long count(String queue, Predicate<Task> filter) {
		return this.tasks.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(queue) && filter.test(entry.getValue()))
			.count();
	}

	int ended() {
		return this.ended;
	}

	/** How many tasks of a queue were accepted and never handled. */
	long lost(String queue) {
		return count(queue, NetworkHistory::isLost);
	}

	long accepted(String queue) {
		return count(queue, NetworkHistory::isAccepted);
	}

	long failed(String queue) {
		return count(queue, (task) -> task.failed);
	}

	private static boolean isAccepted(Task task) {
		return task.acceptedAt < Long.MAX_VALUE;
	}

	private static boolean isLost(Task task) {
		return isAccepted(task) && task.begun.isEmpty();
	}

	/** Fail, and show some violations, if a promise was not kept. */
	void requireNoViolations(String run) {
		List<String> violations = violations();
		assertThat(violations)
			.as(() -> run + ":\n" + String.join("\n", violations.subList(0, Math.min(SHOWN, violations.size()))))
			.isEmpty();
	}

	private List<String> violations() {
		List<String> violations = new ArrayList<>();
		this.tasks.forEach((id, task) -> {
			String violation = violation(id, task);
			if (!violation.isEmpty()) {
				violations.add(violation + ": " + id + "\n    " + String.join("\n    ", task.lines));
			}
		});
		return violations;
	}

	/**
	 * An accepted task may be lost only where replicas are not waited for, and only with
	 * a fault. Without lost leases it may be handled once more only if a fault was there
	 * between both times: of what the old primary was told the new one may know nothing.
	 */
	private String violation(String id, Task task) {
		if (isLost(task)) {
			boolean covered = id.startsWith(NetworkApplication.ORDERS) && isTouched(task.sentAt, task.acceptedAt);
			return covered ? "" : "lost: accepted and not handled";
		}
		if (task.begun.isEmpty()) {
			return "";
		}
		if (task.sentAt == 0) {
			return "unknown: nobody has scheduled it";
		}
		long first = task.begun.get(0);
		long last = task.begun.get(task.begun.size() - 1);
		// a new primary may have another clock
		long tolerance = isTouched(task.sentAt, first) ? this.apart.toMillis() : 0;
		if (first < task.due - tolerance) {
			return "early: handled before it was due";
		}
		boolean explained = first == last || task.leasesLost > 0 || isTouched(first, last);
		return explained ? "" : "again: handled once more for no reason";
	}

	private boolean isTouched(long first, long last) {
		return Stream.concat(this.faults.stream(), this.failovers.stream())
			.anyMatch((fault) -> fault.touches(first, last));
	}

}
