package io.github.delayqueue.failover;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What our own connections have in common with the application's, and what not.
 */
class LettuceOptionsTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	@Test
	void nobodyWaitsLongerForAConnectionThanForAnAnswer() {
		assertThat(derive(ClientOptions.create(), false).getSocketOptions().getConnectTimeout())
			.isEqualTo(COMMAND_TIMEOUT);
		ClientOptions quick = ClientOptions.builder()
			.socketOptions(SocketOptions.builder().connectTimeout(Duration.ofMillis(500)).build())
			.build();
		assertThat(derive(quick, false).getSocketOptions().getConnectTimeout()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void clusterIsLookedAtAnewThoughTheApplicationDoesNot() {
		ClusterClientOptions application = ClusterClientOptions.builder()
			.maxRedirects(7)
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
				.disableAllAdaptiveRefreshTriggers()
				.enablePeriodicRefresh(Duration.ofSeconds(30))
				.dynamicRefreshSources(false)
				.build())
			.build();
		ClusterClientOptions own = (ClusterClientOptions) derive(application, true);
		assertThat(own.getMaxRedirects()).isEqualTo(7);
		ClusterTopologyRefreshOptions refresh = own.getTopologyRefreshOptions();
		assertThat(refresh.getAdaptiveRefreshTriggers()).containsExactlyInAnyOrder(RefreshTrigger.values());
		assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(refresh.isPeriodicRefreshEnabled()).isTrue();
		assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(30));
		assertThat(refresh.useDynamicRefreshSources()).isFalse();
	}

	@Test
	void clusterIsLookedAtAnewWithOptionsThatAreNotForClusters() {
		assertThat(derive(ClientOptions.create(), true)).isInstanceOfSatisfying(ClusterClientOptions.class,
				(own) -> assertThat(own.getTopologyRefreshOptions().getAdaptiveRefreshTriggers()).isNotEmpty());
	}

	private static ClientOptions derive(ClientOptions application, boolean cluster) {
		return LettuceOptions.derive(application, cluster, COMMAND_TIMEOUT);
	}

}
