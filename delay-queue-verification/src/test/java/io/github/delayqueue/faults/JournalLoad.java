package io.github.delayqueue.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * What one thread does all the time: an order and its task in one transaction, which is
 * sometimes rolled back; later some of these tasks are cancelled or moved, also two
 * together, again with what the order says. So the table of orders says afterwards of
 * each transaction whether it was committed, also of those that nobody knows of.
 */
final class JournalLoad implements Runnable {

	private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(12);

	private static final int RECENT = 3;

	private static final int ATTEMPTS = 5;

	private final DelayQueueOperations operations;

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	private final HistoryLog log;

	private final String name;

	/** Some orders of all threads, the latest first. */
	private final Deque<String> recent;

	private final Random random;

	/** A file that says that it is enough. */
	private final Path end;

	private int orders;

	private @Nullable String latest;

	JournalLoad(DelayQueueOperations operations, JdbcClient jdbc, TransactionTemplate transaction, HistoryLog log,
			String name, Deque<String> recent, Random random, Path end) {
		this.operations = operations;
		this.jdbc = jdbc;
		this.transaction = transaction;
		this.log = log;
		this.name = name;
		this.recent = recent;
		this.random = random;
		this.end = end;
	}

	@Override
	public void run() {
		while (!Files.exists(this.end)) {
			step();
			LockSupport.parkNanos(STEP_NANOS);
		}
	}

	private void step() {
		int dice = this.random.nextInt(10);
		String order = this.latest;
		if (order == null || dice < 7) {
			this.latest = schedule();
		}
		else if (dice < 8) {
			cancel(order);
			this.latest = null;
		}
		else if (dice < 9) {
			moveTogether();
		}
		else {
			move(order);
			this.latest = null;
		}
	}

	/**
	 * Write an order and schedule its task.
	 * @return the order if its transaction was committed, else {@code null}
	 */
	private @Nullable String schedule() {
		String order = this.name + "-" + this.orders++;
		// a quarter of them could be claimed before the commit
		Duration delay = Duration.ofMillis(Math.max(0, this.random.nextInt(9000) - 2500));
		boolean commit = this.random.nextInt(5) > 0;
		this.log.write("send", order, dueMillis(delay), commit);
		boolean done = end("sent", order, () -> this.transaction.executeWithoutResult((status) -> {
			this.jdbc.sql("INSERT INTO app_order (id, cancelled) VALUES (?, FALSE)").param(order).update();
			this.operations.schedule(JournalApplication.QUEUE, order, order, delay);
			if (this.random.nextInt(4) == 0) {
				LockSupport.parkNanos(STEP_NANOS);
			}
			if (!commit) {
				status.setRollbackOnly();
			}
		}));
		if (done && commit) {
			this.recent.addFirst(order);
			if (this.recent.size() > RECENT) {
				this.recent.pollLast();
			}
		}
		return (done && commit) ? order : null;
	}

	/**
	 * In an order that others may have the other way round: one of them has to give way,
	 * and does it again.
	 */
	private void moveTogether() {
		List<String> orders = new ArrayList<>(this.recent);
		Collections.shuffle(orders, this.random);
		orders = orders.subList(0, Math.min(2, orders.size()));
		Duration delay = Duration.ofMillis(this.random.nextInt(9000));
		for (String order : orders) {
			this.log.write("move", order, dueMillis(delay));
		}
		List<String> together = orders;
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				this.transaction.executeWithoutResult((status) -> together
					.forEach((order) -> this.operations.reschedule(JournalApplication.QUEUE, order, delay)));
				together.forEach((order) -> this.log.write("moved", order));
				return;
			}
			catch (ConcurrencyFailureException ex) {
				this.log.write("conflict");
			}
			catch (RuntimeException ex) {
				together.forEach((order) -> this.log.write("failed", order, ex.toString()));
				return;
			}
		}
	}

	private void cancel(String order) {
		this.log.write("cancel", order);
		end("cancelled", order, () -> this.transaction.executeWithoutResult((status) -> {
			if (this.operations.cancel(JournalApplication.QUEUE, order)) {
				this.jdbc.sql("UPDATE app_order SET cancelled = TRUE WHERE id = ?").param(order).update();
			}
		}));
	}

	private void move(String order) {
		Duration delay = Duration.ofMillis(this.random.nextInt(9000));
		this.log.write("move", order, dueMillis(delay));
		end("moved", order, () -> this.operations.reschedule(JournalApplication.QUEUE, order, delay));
	}

	/** The earliest at which a task may be due that is about to get this delay. */
	private long dueMillis(Duration delay) {
		return this.log.now() + delay.toMillis();
	}

	/** What failed may have been done: the table of orders knows. */
	private boolean end(String what, String order, Runnable step) {
		try {
			step.run();
			this.log.write(what, order);
			return true;
		}
		catch (RuntimeException ex) {
			this.log.write("failed", order, ex.toString());
			return false;
		}
	}

}
