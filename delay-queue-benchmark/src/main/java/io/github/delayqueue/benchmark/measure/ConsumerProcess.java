package io.github.delayqueue.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.catalog.Systems;

/**
 * A process that consumes the tasks of one system until its standard input ends. Started
 * by {@link Child}.
 */
final class ConsumerProcess {

	/** What it prints once it consumes. */
	static final String READY = "consuming";

	/** A line that lets it consume no more. It prints it when it has stopped. */
	static final String PAUSE = "pause";

	/** A line that lets it consume again. It prints it when it does. */
	static final String RESUME = "resume";

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
		TaskSink sink = ledger.sink(Long.parseLong(args[6]));
		QueueSystem.Consumption consumption = subject.system().consume(sink);
		System.out.println(READY);
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		// its end, also by the parent's death, is ours
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			if (consumption != null) {
				consumption.close();
			}
			consumption = PAUSE.equals(line) ? null : subject.system().consume(sink);
			System.out.println(line);
		}
		if (consumption != null) {
			consumption.close();
		}
		subject.close();
		System.exit(0);
	}

}
