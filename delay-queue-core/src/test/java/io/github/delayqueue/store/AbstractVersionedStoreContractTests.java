package io.github.delayqueue.store;

/**
 * The contract of {@link TaskStore} with all that goes by generations, and the beat.
 */
public abstract class AbstractVersionedStoreContractTests extends AbstractTaskStoreContractTests
		implements MutableClockFixture, VersionContract, IncarnationContract {

}
