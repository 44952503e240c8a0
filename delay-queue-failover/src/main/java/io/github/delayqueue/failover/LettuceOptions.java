package io.github.delayqueue.failover;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;

/** The application's client options, with which a new primary is found soon. */
final class LettuceOptions {

	/**
	 * How often what happens on the connections may cause another look at the topology of
	 * a cluster; Lettuce's 5 seconds would double the length of a fail-over.
	 */
	private static final Duration REFRESH_LIMIT = Duration.ofSeconds(1);

	private LettuceOptions() {
	}

	static ClientOptions derive(ClientOptions application, boolean cluster, Duration commandTimeout) {
		ClientOptions.Builder builder = cluster ? forCluster(application) : application.mutate();
		// no timer for each command: whoever sends one waits no longer than that
		return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.timeoutOptions(TimeoutOptions.create())
			.socketOptions(socketOptions(application.getSocketOptions(), commandTimeout))
			.build();
	}

	/** A caller waits for a connection as well as for an answer. */
	private static SocketOptions socketOptions(SocketOptions application, Duration commandTimeout) {
		return application.mutate().connectTimeout(min(application.getConnectTimeout(), commandTimeout)).build();
	}

	private static ClientOptions.Builder forCluster(ClientOptions application) {
		ClusterClientOptions options = ClusterClientOptions.builder(application).build();
		return options.mutate().topologyRefreshOptions(refresh(options.getTopologyRefreshOptions()));
	}

	/**
	 * With all adaptive triggers, which a new builder of Lettuce 7 has, and one of
	 * Lettuce 6 has not.
	 */
	@SuppressWarnings("deprecation")
	private static ClusterTopologyRefreshOptions refresh(ClusterTopologyRefreshOptions application) {
		return ClusterTopologyRefreshOptions.builder()
			.enableAllAdaptiveRefreshTriggers()
			.adaptiveRefreshTriggersTimeout(min(application.getAdaptiveRefreshTimeout(), REFRESH_LIMIT))
			.refreshTriggersReconnectAttempts(application.getRefreshTriggersReconnectAttempts())
			.closeStaleConnections(application.isCloseStaleConnections())
			.dynamicRefreshSources(application.useDynamicRefreshSources())
			.refreshPeriod(application.getRefreshPeriod())
			.enablePeriodicRefresh(application.isPeriodicRefreshEnabled())
			.build();
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
