package io.github.delayqueue.store.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.testsupport.DocumentedUser;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract by Lettuce, as the user with few rights that the documentation describes.
 */
class RestrictedUserLettuceContractIntegrationTests extends AbstractRedisStoreContractIntegrationTests {

	private static DocumentedUser user;

	@BeforeAll
	static void open() throws Exception {
		user = DocumentedUser.create(TestRedis::cli, "contract-lettuce", "contract:");
		open((server) -> {
			server.setUsername("contract-lettuce");
			server.setPassword(DocumentedUser.PASSWORD);
			return new LettuceConnectionFactory(server);
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
