package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestServer;

/**
 * The contract by Lettuce, as the user with few rights that the documentation describes.
 */
@Heavy
class RestrictedUserLettuceContractIntegrationTests extends AbstractRestrictedUserContractIntegrationTests {

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) {
		open(Driver.LETTUCE, server);
	}

}
