package io.github.delayqueue.store.redis;

import java.util.Locale;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;

import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.store.FleetContract;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract as the user with few rights that the documentation describes.
 */
abstract class AbstractRestrictedUserContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests
		implements FleetContract {

	private static DocumentedUser user;

	static void open(Driver driver, TestServer server) {
		String name = "contract-" + driver.name().toLowerCase(Locale.ROOT);
		user = DocumentedUser.create(server::cli, name, "contract:");
		open(DriverStores.on(driver.connect(DocumentedUser.as(name, Connections.configuration(server)))));
	}

	@AfterParameterizedClassInvocation
	static void wasRefusedNothing() {
		try {
			assertThat(user.refusals()).isEmpty();
		}
		finally {
			user.delete();
		}
	}

}
