package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.testsupport.ClusterServers;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented user in a cluster, with the rights that are documented for a cluster
 * besides.
 */
class RestrictedUserInClusterIntegrationTests {

	private static final ClusterServers cluster = ClusterServers.shared();

	private List<DocumentedUser> users;

	@BeforeEach
	void createUsers() {
		this.users = cluster.nodes()
			.stream()
			.map((node) -> DocumentedUser.createForCluster(node::cli, "shop", "restricted:"))
			.toList();
	}

	@AfterEach
	void deleteUsers() {
		this.users.forEach(DocumentedUser::delete);
	}

	@ParameterizedTest
	@EnumSource
	void needsNoOtherCommand(Driver driver) {
		RedisClusterConfiguration configuration = DocumentedUser.as("shop", Connections.configuration(cluster));
		RestrictedUserIntegrationTests.useEverything(driver.connect(configuration), "restricted:",
				() -> refusals().findAny().isPresent());
		assertThat(refusals()).isEmpty();
	}

	private Stream<String> refusals() {
		return this.users.stream().flatMap((user) -> user.refusals().stream()).distinct();
	}

}
