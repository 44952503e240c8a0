package io.github.delayqueue.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.catalog.Systems;
import io.github.delayqueue.testsupport.ChildJvm;

/**
 * A process that consumes the tasks of one system until its standard input ends.
 */
final class ConsumerProcess {

	/** What it prints once it consumes. */
	static final String READY = "consuming";

	/** A line that lets it consume no more. It prints it when it has stopped. */
	static final String PAUSE = "pause";

	/** A line that lets it consume again. It prints it when it does. */
	static final String RESUME = "resume";

	/** Of all processes that are measured. */
	static final String[] MEMORY = { "-Xms256m", "-Xmx512m" };

	/** For all that a process does before it is ready. */
	static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final Duration END_PATIENCE = Duration.ofSeconds(30);

	private ConsumerProcess() {
	}

	/**
	 * Start a consumer. Returns at once, the process says when it is {@link #READY}.
	 * @param type the system
	 * @param servers its servers
	 * @param ledger where it writes down what it handles
	 * @param workMillis how long its handler takes
	 * @param tasks how many tasks it enqueues before it consumes
	 * @param dueAtMillis when these are due
	 * @return the process
	 */
	static ChildJvm start(SystemType type, Servers servers, Ledger ledger, long workMillis, int tasks,
			long dueAtMillis) {
		return process(type, servers, ledger, workMillis, tasks, dueAtMillis).longLived().start();
	}

	/**
	 * Start one of many consumers. Their compilers would share the processors for minutes
	 * before any of them is as fast as it gets: they compile only once, and at once.
	 * Returns at once, the process says when it is {@link #READY}.
	 * @param type the system
	 * @param servers its servers
	 * @param ledger where it writes down what it handles
	 * @param workMillis how long its handler takes
	 * @return the process
	 */
	static ChildJvm startOneOfMany(SystemType type, Servers servers, Ledger ledger, long workMillis) {
		return process(type, servers, ledger, workMillis, 0, 0).start();
	}

	/**
	 * Let a consumer stop as an application stops, and wait for its end; kill it if that
	 * takes too long. Harmless twice.
	 * @param process the process
	 */
	static void end(ChildJvm process) {
		try (process) {
			process.endInput(END_PATIENCE);
		}
	}

	private static ChildJvm.Builder process(SystemType type, Servers servers, Ledger ledger, long workMillis, int tasks,
			long dueAtMillis) {
		return ChildJvm
			.of(ConsumerProcess.class, type.key(), servers.redisHost(), String.valueOf(servers.redisPort()),
					Objects.requireNonNullElse(servers.postgresUrl(), "-"), ledger.file().toString(),
					String.valueOf(ledger.size()), String.valueOf(workMillis), String.valueOf(tasks),
					String.valueOf(dueAtMillis))
			.options(MEMORY)
			.patience(PATIENCE);
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
