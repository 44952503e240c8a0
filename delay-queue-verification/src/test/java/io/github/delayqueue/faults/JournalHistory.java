package io.github.delayqueue.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happened to orders whose tasks are in a journal, as all processes wrote it down,
 * and what the database said in the end.
 */
final class JournalHistory {

	/** For how long what was claimed before may still wait for its handler. */
	private static final long CLAIMED_MILLIS = SuiteSettings.LEASE_DURATION.toMillis() + 1000;

	/** A loader looks at what has been overdue for so long. */
	private static final long OVERDUE_MILLIS = 29_000;

	private static final Logger logger = LoggerFactory.getLogger(JournalHistory.class);

	/** How many violations of a rule. */
	private static final int SHOWN = 3;

	private final Map<String, Order> orders = new TreeMap<>();

	/** Orders that are in the database. */
	final Set<String> committed = new HashSet<>();

	/** Orders whose cancellation was committed. */
	final Set<String> cancelled = new HashSet<>();

	/** How many tasks of the journal were left. */
	long left;

	/** Where processes halted, how often. */
	final Map<String, Integer> halts = new TreeMap<>();

	int restorations;

	/** How often callers had to give way to each other. */
	int conflicts;

	/** When a loader found overdue tasks that Redis had lost without anybody noticing. */
	private final List<Long> found = new ArrayList<>();

	/** When that had to be expected, from and to. */
	private final List<long[]> rewound = new ArrayList<>();

	private final Map<String, Integer> faults = new TreeMap<>();

	private static final class Order {

		/** The earliest it may be begun. */
		private long due = Long.MAX_VALUE;

		/** The latest at which it may be due. */
		private long latestDue;

		private long sentAt;

		private long cancelledAt = Long.MAX_VALUE;

		private long settledAt = Long.MAX_VALUE;

		/** Whether a process halted right before it gave the task to Redis. */
		private boolean halted;

		private final List<Long> begun = new ArrayList<>();

		private final List<String> lines = new ArrayList<>();

	}

	/**
	 * Let the processes of a run schedule nothing more, wait until everything is handled,
	 * and read what they wrote and what the database says.
	 * @param directory where their histories lie
	 * @param jdbc their database
	 * @return the history
	 */
	static JournalHistory end(Path directory, JdbcClient jdbc) throws IOException {
		Files.createFile(directory.resolve(JournalApplication.END));
		try {
			Awaitility.await("drain")
				.atMost(Patience.LIMIT)
				.pollInterval(Duration.ofMillis(500))
				.ignoreExceptions()
				.until(() -> left(jdbc) == 0);
		}
		catch (ConditionTimeoutException ex) {
			logger.warn("There are tasks left: the rules say of which", ex);
		}
		JournalHistory history = read(directory);
		history.left = left(jdbc);
		history.committed.addAll(committed(jdbc));
		history.cancelled.addAll(jdbc.sql("SELECT id FROM app_order WHERE cancelled").query(String.class).list());
		return history;
	}

	static List<String> committed(JdbcClient jdbc) {
		return jdbc.sql("SELECT id FROM app_order").query(String.class).list();
	}

	private static long left(JdbcClient jdbc) {
		return jdbc.sql("SELECT COUNT(*) FROM delay_queue_task").query(Long.class).single();
	}

	/**
	 * Read what the processes of a run wrote.
	 * @param directory where it lies
	 * @return the history, without what the database said
	 * @throws IOException if it cannot be read
	 */
	static JournalHistory read(Path directory) throws IOException {
		JournalHistory history = new JournalHistory();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(HistoryLog.SUFFIX)).sorted().toList()) {
				Files.readAllLines(file).forEach(history::add);
			}
		}
		return history;
	}

	/** A line of a process. */
	void add(String line) {
		String[] words = line.split(" ");
		long at = Long.parseLong(words[1]);
		switch (words[0]) {
			case "send", "move" -> {
				Order order = order(words[2], line);
				if (words[0].equals("send")) {
					order.sentAt = at;
				}
				order.due = Math.min(order.due, Long.parseLong(words[3]));
				order.latestDue = Math.max(order.latestDue, Long.parseLong(words[3]));
			}
			case "cancelled" -> order(words[2], line).cancelledAt = at;
			case "settled" -> {
				Order order = order(words[2], line);
				if (words[3].equals("SUCCESS")) {
					order.settledAt = Math.min(order.settledAt, at);
				}
			}
			case "begun" -> order(words[2], line).begun.add(at);
			case "sent", "cancel", "moved", "failed" -> order(words[2], line);
			case "conflict" -> this.conflicts++;
			case "found" -> this.found.add(at);
			case "fault" -> {
				this.faults.merge(words[2], 1, Integer::sum);
				if (words[2].equals("rewound")) {
					this.rewound.add(new long[] { at, Long.MAX_VALUE });
				}
			}
			case "undone" -> {
				if (words[2].equals("rewound")) {
					this.rewound.get(this.rewound.size() - 1)[1] = at;
				}
			}
			case "halting" -> {
				this.halts.merge(words[2], 1, Integer::sum);
				Stream.of(words).skip(3).forEach((id) -> order(id, line).halted = true);
			}
			case "restored" -> this.restorations++;
			default -> {
			}
		}
	}

	private Order order(String id, String line) {
		Order order = this.orders.computeIfAbsent(id, (key) -> new Order());
		order.lines.add(line);
		return order;
	}

	@Override
	public String toString() {
		return "%d orders, %d committed, %d cancelled, %d conflicts of callers; %s; halted %s; %d recoveries, %d times found overdue"
			.formatted(this.orders.size(), this.committed.size(), this.cancelled.size(), this.conflicts, this.faults,
					this.halts, this.restorations, this.found.size());
	}

	/** Fail, and show some violations of each rule, if a promise was not kept. */
	void requireNoViolations(String run) {
		logger.info("{}", this);
		List<String> violations = violations();
		assertThat(violations).as(() -> run + ":\n" + String.join("\n", shown(violations))).isEmpty();
	}

	private static List<String> shown(List<String> violations) {
		return violations.stream()
			.collect(Collectors.groupingBy((violation) -> violation.substring(0, violation.indexOf(':')), TreeMap::new,
					Collectors.toList()))
			.values()
			.stream()
			.flatMap((same) -> same.stream().limit(SHOWN))
			.toList();
	}

	/** What promise was not kept. */
	List<String> violations() {
		List<String> violations = new ArrayList<>();
		this.orders.forEach((id, order) -> {
			String violation = violation(id, order);
			if (violation != null) {
				violations.add(violation + ": " + id + "\n    " + String.join("\n    ",
						order.lines.stream().sorted((a, b) -> a.split(" ")[1].compareTo(b.split(" ")[1])).toList()));
			}
		});
		if (this.left > 0) {
			violations.add("left: the journal has " + this.left + " tasks in the end");
		}
		return violations;
	}

	private @Nullable String violation(String id, Order order) {
		if (!this.committed.contains(id)) {
			return order.begun.isEmpty() ? null : "rolled-back: handled, though its transaction was rolled back";
		}
		if (order.begun.stream().anyMatch((at) -> at < order.due)) {
			return "early: handled before it was due";
		}
		if (this.cancelled.contains(id)) {
			return after(order, order.cancelledAt) ? "cancelled: handled after its cancellation was committed" : null;
		}
		if (order.begun.isEmpty()) {
			return "lost: committed and not handled";
		}
		if (isFoundLate(order, Collections.min(order.begun))) {
			return "late: handled only because it was looked for";
		}
		return after(order, order.settledAt) ? "finished: handled again after its end was confirmed" : null;
	}

	/**
	 * Not what Redis was deprived of less than a second after it had got it, nor what a
	 * loader died with.
	 */
	private boolean isFoundLate(Order order, long begun) {
		boolean expected = this.rewound.stream()
			.anyMatch((span) -> span[0] < order.latestDue + OVERDUE_MILLIS && span[1] > order.sentAt);
		return !expected && !order.halted && begun > order.latestDue + OVERDUE_MILLIS
				&& this.found.stream().anyMatch((at) -> at > order.latestDue + OVERDUE_MILLIS && at < begun + 1000);
	}

	private static boolean after(Order order, long since) {
		return since < Long.MAX_VALUE && order.begun.stream().anyMatch((at) -> at > since + CLAIMED_MILLIS);
	}

}
