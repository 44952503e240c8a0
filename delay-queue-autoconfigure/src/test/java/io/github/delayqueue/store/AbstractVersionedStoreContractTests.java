package io.github.delayqueue.store;

/**
 * The contract of {@link VersionedTaskStore}.
 */
public abstract class AbstractVersionedStoreContractTests extends AbstractTaskStoreContractTests
		implements VersionContract {

}
