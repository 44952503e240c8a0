package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

import io.github.delayqueue.Names;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisTaskStore;

/**
 * Looks whether the server is set up so that tasks are safe, and logs each thing that is
 * not, once: as soon as a task has been scheduled or claims have begun, and then whenever
 * a report is asked for. With listeners, claims begin when the application starts. In a
 * cluster it looks at the primaries. Public for wiring. Thread-safe.
 */
public class RedisServerCheck implements ServerInspection, TaskEventListener, AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(RedisServerCheck.class);

	private static final Duration MAX_AGE = Duration.ofMinutes(1);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

	/** Most primaries of a cluster that are looked at. */
	private static final int MAX_SERVERS = 32;

	private final RedisConnections connections;

	private final boolean restored;

	private final LongSupplier nanoTime;

	private final Set<String> logged = new HashSet<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	private volatile @Nullable ServerReport report;

	/** When to look again, in terms of the clock. */
	private volatile @Nullable Long dueAt;

	/**
	 * Create a check, to be made once the server has answered the store.
	 * @param store the store whose server it looks at
	 * @param restored whether all queues have a journal, so that no task is lost with the
	 * server
	 */
	public RedisServerCheck(RedisTaskStore store, boolean restored) {
		this(store, restored, System::nanoTime);
	}

	RedisServerCheck(RedisTaskStore store, boolean restored, LongSupplier nanoTime) {
		this.restored = restored;
		this.connections = store.scripts().connections();
		this.nanoTime = nanoTime;
	}

	@Override
	public void onSchedule(String queue, int accepted, Duration took, @Nullable Throwable error) {
		if (error == null) {
			answered();
		}
	}

	@Override
	public void onClaim(String queue, int tasks) {
		answered();
	}

	/** On a thread that ends with it: who called the store must not wait. */
	private void answered() {
		if (this.report != null || !isDue() || !this.looking.compareAndSet(false, true)) {
			return;
		}
		Thread thread = new Thread(() -> {
			report();
			this.looking.set(false);
		}, "delay-queue-server-check");
		thread.setDaemon(true);
		try {
			thread.start();
		}
		catch (OutOfMemoryError ex) {
			logger.debug("No thread could be started to look at the settings of Redis; it will be tried again", ex);
			this.dueAt = this.nanoTime.getAsLong() + RETRY_AFTER.toNanos();
			this.looking.set(false);
		}
	}

	@Override
	public Optional<ServerReport> report() {
		synchronized (this.logged) {
			if (isDue()) {
				this.report = inspect();
				Duration wait = (this.report != null) ? MAX_AGE : RETRY_AFTER;
				this.dueAt = this.nanoTime.getAsLong() + wait.toNanos();
			}
			return Optional.ofNullable(this.report);
		}
	}

	private boolean isDue() {
		Long dueAt = this.dueAt;
		return dueAt == null || this.nanoTime.getAsLong() - dueAt >= 0;
	}

	private @Nullable ServerReport inspect() {
		try {
			ServerReport report = report(
					Objects.requireNonNull(this.connections.commands().execute(RedisServerCheck::servers)));
			log(report);
			return report;
		}
		catch (RuntimeException ex) {
			logger.debug("The settings of Redis could not be looked at; it will be tried again", ex);
			return null;
		}
	}

	private static List<ServerState> servers(RedisConnection connection) {
		return (connection instanceof RedisClusterConnection cluster) ? cluster(cluster) : List.of(ServerState.of("",
				() -> connection.serverCommands().info(), (name) -> connection.serverCommands().getConfig(name)));
	}

	private static List<ServerState> cluster(RedisClusterConnection cluster) {
		List<ServerState> servers = new ArrayList<>();
		for (RedisClusterNode node : cluster.clusterCommands().clusterGetNodes()) {
			if (node.isMaster() && !node.isMarkedAsFail() && servers.size() < MAX_SERVERS) {
				servers.add(ServerState.of(node.asString(), () -> cluster.serverCommands().info(node),
						(name) -> cluster.serverCommands().getConfig(node, name)));
			}
		}
		return servers;
	}

	private ServerReport report(List<ServerState> servers) {
		Boolean readsFromReplicas = (this.connections instanceof OwnConnections own) ? own.readsFromReplicas() : null;
		List<String> warnings = new ArrayList<>();
		servers.forEach((server) -> warnings.addAll(server.warnings(this.restored)));
		if (Boolean.TRUE.equals(readsFromReplicas)) {
			warnings.add("The application reads from replicas (spring.data.redis.lettuce.read-from): the delay "
					+ "queue always uses the primary, so keys that the application reads itself may be out "
					+ "of date; look at tasks through DelayQueueOperations");
		}
		return new ServerReport(
				servers.stream().map(ServerState::address).filter((address) -> !address.isEmpty()).toList(),
				all(servers, ServerState::version), all(servers, ServerState::role),
				all(servers, ServerState::maxmemoryPolicy), all(servers, ServerState::persistence), readsFromReplicas,
				List.copyOf(warnings));
	}

	private static String all(List<ServerState> servers, Function<ServerState, String> property) {
		return servers.stream().map(property).distinct().sorted().collect(Collectors.joining(", "));
	}

	private void log(ServerReport report) {
		report.warnings()
			.stream()
			.filter(this.logged::add)
			.forEach((warning) -> logger.warn("{}", Names.printableText(warning)));
		if (report.version().equals(ServerReport.UNKNOWN) && this.logged.add(ServerReport.UNKNOWN)) {
			logger.info("Redis refuses INFO, so its settings cannot be checked: it is not known whether tasks "
					+ "survive a restart, or a full memory. Allow the Redis user INFO and CONFIG GET");
		}
	}

}
