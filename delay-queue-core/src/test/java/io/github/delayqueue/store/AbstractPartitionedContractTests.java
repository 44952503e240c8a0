package io.github.delayqueue.store;

import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.testsupport.MutableClock;

/**
 * What of the contract holds for a queue with partitions as a whole: all but the order of
 * claims, what a retention leaves, and who is woken, which are those of each partition.
 * Once with a queue that has had its partitions from the beginning, once with one that
 * had fewer of them, so that tasks are looked for in earlier homes as well.
 */
@ParameterizedClass
@ValueSource(strings = { "8", "8,5,1" })
public abstract class AbstractPartitionedContractTests implements OperationTableContract, SettlementContract,
		BatchContract, LeaseContract, LookupContract, QueueContract, HistoryContract, VersionContract {

	private final String queue = "partitioned." + UUID.randomUUID();

	@Parameter
	private String counts;

	private TaskStore store;

	/**
	 * The store that keeps the partitions.
	 * @return the same one during a test
	 */
	protected abstract PartitionStore partitions();

	@BeforeEach
	void partition() {
		clock().set(START);
		PartitionCounts known = PartitionCounts.parse(this.counts);
		this.store = WholeQueues.of(new PartitionedTaskStore(partitions(), (queue) -> known.count()));
		partitions().learn(this.queue, known, false);
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
