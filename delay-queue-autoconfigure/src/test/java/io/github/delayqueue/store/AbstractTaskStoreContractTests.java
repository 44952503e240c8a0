package io.github.delayqueue.store;

import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of {@link TaskStore}, one interface of tests for each part of it. A store
 * passes it by a subclass that implements {@link #store()} and {@link #clock()}; it may
 * keep the tasks of several tests.
 */
public abstract class AbstractTaskStoreContractTests
		implements OperationTableContract, SettlementContract, BatchContract, ClaimContract, ClaimOrderContract,
		LeaseContract, ClockContract, RetentionContract, LookupContract, QueueContract, WakeContract,
		GeneratedIdContract, CheckContract, FlowContract, AttendanceContract, ForecastContract {

	private final String queue = "contract." + UUID.randomUUID();

	@Override
	public final String queue() {
		return this.queue;
	}

	@BeforeEach
	void setClock() {
		clock().set(START);
	}

	@AfterEach
	void checkInvariants() {
		TotalsIdentity.check(stats());
		assertThat(store().check(this.queue, null, TaskStore.MAX_CHECK, null).findings()).isEmpty();
		assertInvariant(this.queue);
	}

	/**
	 * Look into the store: is every task in exactly one place? Called after each test.
	 * @param queue the queue of the test
	 */
	protected void assertInvariant(String queue) {
	}

}
