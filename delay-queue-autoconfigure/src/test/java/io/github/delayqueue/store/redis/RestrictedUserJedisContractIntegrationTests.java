package io.github.delayqueue.store.redis;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.delayqueue.testsupport.DocumentedUser;
import io.github.delayqueue.testsupport.TestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract by Jedis, as the user with few rights that the documentation describes.
 */
class RestrictedUserJedisContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	private static DocumentedUser user;

	@BeforeParameterizedClassInvocation
	static void connect(TestServer server) throws Exception {
		user = DocumentedUser.create(server::cli, "contract-jedis", "contract:");
		open(server, (configuration) -> {
			configuration.setUsername("contract-jedis");
			configuration.setPassword(DocumentedUser.PASSWORD);
			return new JedisConnectionFactory(configuration);
		});
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
