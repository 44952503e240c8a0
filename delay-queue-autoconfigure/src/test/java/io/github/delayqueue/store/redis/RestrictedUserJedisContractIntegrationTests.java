package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.delayqueue.testsupport.DocumentedUser;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract by Jedis, as the user with few rights that the documentation describes.
 */
class RestrictedUserJedisContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	private static DocumentedUser user;

	@BeforeAll
	static void open() throws Exception {
		user = DocumentedUser.create(TestRedis::cli, "contract-jedis", "contract:");
		open((server) -> {
			server.setUsername("contract-jedis");
			server.setPassword(DocumentedUser.PASSWORD);
			return new JedisConnectionFactory(server);
		});
	}

	@AfterAll
	static void wasRefusedNothing() {
		try {
			assertThat(user.refusals()).isEmpty();
		}
		finally {
			user.delete();
		}
	}

}
