package io.github.delayqueue.store;

/**
 * The contract of {@link TaskStore} with all that goes by generations.
 */
public abstract class AbstractVersionedStoreContractTests extends AbstractTaskStoreContractTests
		implements VersionContract {

}
