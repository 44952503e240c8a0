package io.github.delayqueue.store;

import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * What of the contract holds for a queue with partitions as a whole: all but the order of
 * claims, what a retention leaves, and who is woken, which are those of each partition.
 */
class PartitionedContractTests implements OperationTableContract, SettlementContract, BatchContract, LeaseContract,
		LookupContract, QueueContract, HistoryContract, VersionContract, MutableClockFixture {

	private final String queue = "partitioned." + UUID.randomUUID();

	private final MutableClock clock = new MutableClock(START);

	private TaskStore store;

	@BeforeEach
	void partition() {
		this.store = WholeQueues.of(new PartitionedTaskStore(new InMemoryTaskStore(this.clock), (queue) -> 8));
	}

	@AfterEach
	void checkTotals() {
		TotalsIdentity.check(stats());
	}

	@Override
	public TaskStore store() {
		return this.store;
	}

	@Override
	public MutableClock clock() {
		return this.clock;
	}

	@Override
	public String queue() {
		return this.queue;
	}

}
