package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.testsupport.ChildJvm;

/**
 * Several processes that consume the tasks of one queue, each with a ledger of its own.
 */
final class Fleet implements AutoCloseable {

	private final List<Ledger> ledgers;

	private final List<ChildJvm> children = new ArrayList<>();

	private int unfinished;

	/**
	 * Of processes that write into ledgers.
	 * @param ledgers one for each process, all of the same size
	 */
	Fleet(List<Ledger> ledgers) {
		this.ledgers = ledgers;
	}

	/**
	 * Start processes and wait until all consume.
	 * @param type the system
	 * @param servers its servers
	 * @param processes how many
	 * @param tasks how many tasks there will be
	 * @param workMillis how long a handler takes
	 * @return the processes
	 */
	static Fleet start(SystemType type, Servers servers, int processes, int tasks, long workMillis) {
		Fleet fleet = new Fleet(IntStream.range(0, processes).mapToObj((i) -> Ledger.create(tasks)).toList());
		fleet.ledgers
			.forEach((ledger) -> fleet.children.add(ConsumerProcess.startOneOfMany(type, servers, ledger, workMillis)));
		fleet.children.forEach((child) -> child.awaitReady(ConsumerProcess.READY));
		return fleet;
	}

	/**
	 * Let no process consume, until {@link #resume()}.
	 */
	void pause() {
		this.children.forEach((child) -> child.ask(ConsumerProcess.PAUSE));
	}

	/**
	 * Let all processes consume again, after {@link #pause()}.
	 */
	void resume() {
		this.children.forEach((child) -> child.ask(ConsumerProcess.RESUME));
	}

	/**
	 * Whether the first tasks have been handled to the end. Cheap to ask again and again.
	 * @param count how many tasks; not fewer than when asked before
	 * @return whether none of them is left
	 */
	boolean isComplete(int count) {
		while (this.unfinished < count && isHandled(this.unfinished)) {
			this.unfinished++;
		}
		return this.unfinished == count;
	}

	private boolean isHandled(int number) {
		return this.ledgers.stream().anyMatch((ledger) -> ledger.ended(number) > 0);
	}

	/**
	 * When the last of some tasks was started.
	 * @param from number of the first
	 * @param to number after the last
	 * @return microseconds since the epoch
	 */
	long lastMicros(int from, int to) {
		return this.ledgers.stream()
			.flatMapToLong((ledger) -> IntStream.range(from, to).mapToLong(ledger::startedMicros))
			.max()
			.orElse(0);
	}

	/**
	 * How many different tasks each process has handled.
	 * @return the numbers, in the order of the processes
	 */
	List<Integer> shares() {
		return this.ledgers.stream().map(Ledger::handled).toList();
	}

	/**
	 * What went wrong in all processes together.
	 * @return the counts
	 */
	Counts counts() {
		int size = this.ledgers.get(0).size();
		long missing = IntStream.range(0, size).filter((number) -> !isHandled(number)).count();
		Counts each = this.ledgers.stream().map(Ledger::counts).reduce(Counts.NONE, Counts::plus);
		long handledByOne = shares().stream().mapToInt(Integer::intValue).sum();
		// what a process misses another may have handled; what two have handled is
		// doubled
		return new Counts(missing, each.doubled() + handledByOne - (size - missing), each.early());
	}

	@Override
	public void close() {
		this.children.forEach(ConsumerProcess::end);
		this.ledgers.forEach(Ledger::close);
	}

}
