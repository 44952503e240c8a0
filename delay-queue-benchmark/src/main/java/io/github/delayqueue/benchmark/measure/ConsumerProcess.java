package io.github.delayqueue.benchmark.measure;

import java.io.IOException;
import java.nio.file.Path;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.catalog.Systems;

/**
 * A process that consumes the tasks of one system until its standard input ends. Started
 * by {@link Child}.
 */
final class ConsumerProcess {

	/** What it prints once it consumes. */
	static final String READY = "consuming";

	private ConsumerProcess() {
	}

	/**
	 * Consume.
	 * @param args key of the system, host and port of Redis, URL of PostgreSQL or a dash,
	 * file and size of the ledger, how long a handler takes in milliseconds, how many
	 * tasks to enqueue before, and when these are due
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		Servers servers = new Servers(args[1], Integer.parseInt(args[2]), "-".equals(args[3]) ? null : args[3]);
		Ledger ledger = Ledger.open(Path.of(args[4]), Integer.parseInt(args[5]));
		int count = Integer.parseInt(args[7]);
		long dueAt = Long.parseLong(args[8]);
		Subject subject = new Subject(Systems.named(args[0]), servers, Subject.LEAD_MILLIS);
		if (count > 0) {
			subject.fill(0, count, (number) -> dueAt);
		}
		QueueSystem.Consumption consumption = subject.system().consume(ledger.sink(Long.parseLong(args[6])));
		System.out.println(READY);
		while (System.in.read() >= 0) {
			// nothing is said to us; the end of the input, also by the parent's death, is
			// what we
			// wait for
		}
		consumption.close();
		subject.close();
		System.exit(0);
	}

}
