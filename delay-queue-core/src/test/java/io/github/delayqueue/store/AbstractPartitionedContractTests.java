package io.github.delayqueue.store;

import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.github.delayqueue.testsupport.MutableClock;

/**
 * What of the contract holds for a queue with partitions as a whole: all but the order of
 * claims, what a retention leaves, and who is woken, which are those of each partition.
 */
public abstract class AbstractPartitionedContractTests implements OperationTableContract, SettlementContract,
		BatchContract, LeaseContract, LookupContract, QueueContract, HistoryContract, VersionContract {

	private final String queue = "partitioned." + UUID.randomUUID();

	private TaskStore store;

	/**
	 * The store that keeps the partitions.
	 * @return the same one during a test
	 */
	protected abstract PartitionStore partitions();

	@BeforeEach
	void partition() {
		clock().set(START);
		this.store = WholeQueues.of(new PartitionedTaskStore(partitions(), (queue) -> 8));
	}

	@AfterEach
	void checkInvariants() {
		TotalsIdentity.check(stats());
		this.store.partitions(this.queue).forEach(this::assertInvariant);
	}

	/** Look into a partition: is every task in exactly one place? */
	protected void assertInvariant(String partition) {
	}

	@Override
	public final TaskStore store() {
		return this.store;
	}

	@Override
	public abstract MutableClock clock();

	@Override
	public final String queue() {
		return this.queue;
	}

}
