package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

import io.github.delayqueue.store.LeaseHolders;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Counts instances by their subscriptions. A node of a cluster knows only those that were
 * made there, at whatever node the driver likes, a replica included: all nodes are asked.
 */
final class RedisLeaseHolders implements LeaseHolders {

	private final OwnConnections connections;

	private final RedisKeys keys;

	private final ScriptRunner scripts;

	private final WakeChannel wakeChannel;

	/** A call whose time, and channel, are those of the store. */
	private final Function<String, ScriptCall> takeOver;

	private final Duration commandTimeout;

	RedisLeaseHolders(OwnConnections connections, RedisKeys keys, ScriptRunner scripts, WakeChannel wakeChannel,
			Function<String, ScriptCall> takeOver, Duration commandTimeout) {
		this.connections = connections;
		this.keys = keys;
		this.scripts = scripts;
		this.wakeChannel = wakeChannel;
		this.takeOver = takeOver;
		this.commandTimeout = commandTimeout;
	}

	@Override
	public WakeSubscription enter(String name, WakeListener listener) {
		return this.wakeChannel.subscribe(this.keys.presence(name), listener);
	}

	@Override
	public Set<String> present(Collection<String> names) {
		List<String> asked = List.copyOf(names);
		ScriptCall call = new ScriptCall(Script.PRESENT, null, List.of());
		asked.forEach((name) -> call.add(this.keys.presence(name)));
		List<RedisClusterNode> nodes = this.scripts.persistently(Script.PRESENT.stepName(), null, true, this::nodes);
		if (nodes.isEmpty()) {
			return call.read(this.scripts.run(call), (reply) -> counted(asked, reply));
		}
		Set<String> present = new HashSet<>();
		for (RedisClusterNode node : nodes) {
			present.addAll(call.read(ask(node, call), (reply) -> counted(asked, reply)));
		}
		return present;
	}

	/** Of a cluster; none otherwise. Whoever was connected to one that failed is not. */
	private List<RedisClusterNode> nodes() {
		try (RedisConnection connection = this.connections.commands().getConnection()) {
			if (!(connection instanceof RedisClusterConnection cluster)) {
				return List.of();
			}
			List<RedisClusterNode> nodes = new ArrayList<>();
			cluster.clusterGetNodes().forEach(nodes::add);
			nodes.removeIf(RedisClusterNode::isMarkedAsFail);
			return nodes;
		}
	}

	private List<?> ask(RedisClusterNode node, ScriptCall call) {
		try {
			UnsharedConnections connections = this.connections.unshared(node);
			List<?> reply = (connections != null) ? connections.with(this.commandTimeout,
					(connection) -> this.scripts.evaluate(connection.connection(), call)) : null;
			if (reply == null) {
				throw new RedisConnectionFailureException("Unable to connect to " + node.asString());
			}
			return reply;
		}
		catch (DataAccessException ex) {
			throw RedisErrors.translate(Script.PRESENT.stepName(), null, ex, this.commandTimeout);
		}
	}

	private static Set<String> counted(List<String> names, List<?> counts) {
		Set<String> counted = new HashSet<>();
		for (int i = 0; i < names.size(); i++) {
			if ((Long) counts.get(i) > 0) {
				counted.add(names.get(i));
			}
		}
		return counted;
	}

	@Override
	public void counted(String partition, String name) {
		this.scripts.run(ScriptCall.of(Script.COUNTED, this.keys, partition).add(name));
	}

	@Override
	public int takeOver(String partition, String name) {
		int leases = 0;
		String from = "";
		do {
			ScriptCall call = this.takeOver.apply(partition).add(name).add(from);
			List<?> reply = this.scripts.run(call);
			from = call.read(reply, (each) -> Replies.text(each.get(0)));
			leases += call.read(reply, (each) -> ((Long) each.get(1)).intValue());
		}
		while (!from.isEmpty());
		return leases;
	}

}
