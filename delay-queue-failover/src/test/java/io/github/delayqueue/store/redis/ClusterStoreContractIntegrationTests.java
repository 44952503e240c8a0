package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.AbstractVersionedStoreContractTests;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The contract on a cluster: the queue of each test has a slot of its own.
 */
@ParameterizedClass
@EnumSource(Driver.class)
@Heavy
class ClusterStoreContractIntegrationTests extends AbstractVersionedStoreContractTests implements FleetContract {

	private static final MutableClock clock = new MutableClock(START);

	private static RedisStores stores;

	private static TaskStore store;

	ClusterStoreContractIntegrationTests(Driver driver) {
	}

	@BeforeParameterizedClassInvocation
	static void open(Driver driver) {
		stores = DriverStores.on(driver.connect(ClusterServers.shared())).keyPrefix("contract:").clock(clock);
		store = stores.open();
	}

	@AfterParameterizedClassInvocation
	static void close() {
		stores.close();
	}

	@Override
	public TaskStore store() {
		return store;
	}

	@Override
	public MutableClock clock() {
		return clock;
	}

}
