package io.github.delayqueue.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisNode;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.failover.OwnConnections;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.QueueKey;
import io.github.delayqueue.store.redis.RedisErrors;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;
import io.github.delayqueue.wake.WakeChannel;

/**
 * Counts instances by their subscriptions. A node of a cluster knows only those that were
 * made there, at whatever node the driver likes, a replica included: all nodes are asked,
 * and nothing is known while one of them fails. Public for wiring.
 */
public final class RedisLeaseHolders implements LeaseHolders {

	private static final byte[] NODES = "NODES".getBytes(StandardCharsets.US_ASCII);

	/** Flags of a node that may not answer. Another one is {@code nofailover}. */
	private static final Set<String> UNKNOWN = Set.of("fail", "fail?", "handshake", "noaddr");

	static final Script TAKE_OVER = Script.writing(RedisLeaseHolders.class, "takeover.lua", "take over leases of",
			QueueKey.LEASES, QueueKey.DELIVERIES, QueueKey.META);

	private static final Script HOLDERS = Script.writing(RedisLeaseHolders.class, "holders.lua",
			"note who holds leases of", QueueKey.META);

	private static final Script PRESENT = Script.reading(RedisLeaseHolders.class, "present.lua",
			"ask which instances are connected");

	private final ScriptRunner scripts;

	private final WakeChannel wakeChannel;

	/** The channels of instances that are counted, or will be. */
	private final Map<WakeSubscription, byte[]> entered = new ConcurrentHashMap<>();

	/** The ids of the nodes of a cluster. */
	private volatile Set<String> places = Set.of();

	/** Create, for a store, whose connections stay as long as an instance is counted. */
	public RedisLeaseHolders(RedisTaskStore store) {
		this.scripts = store.scripts();
		this.wakeChannel = store.requireRole(WakeChannel.class);
		// handlers that still run keep their leases only if others see that they do
		store.stayWhile(() -> !this.entered.isEmpty());
	}

	@Override
	public WakeSubscription enter(String name, WakeListener listener) {
		byte[] channel = channel(name);
		WakeSubscription subscription = this.wakeChannel.subscribe(channel, listener);
		this.entered.put(subscription, channel);
		return () -> {
			this.entered.remove(subscription);
			subscription.close();
		};
	}

	/** Nothing is published on it. */
	private byte[] channel(String name) {
		return this.scripts.key("instances/" + name);
	}

	@Override
	public Set<String> places() {
		return this.places;
	}

	@Override
	public Set<String> present(Collection<String> names) {
		List<String> asked = List.copyOf(names);
		ScriptCall call = this.scripts.call(PRESENT);
		asked.forEach((name) -> call.add(channel(name)));
		List<RedisNode> nodes = this.scripts.command(PRESENT.stepName(), null, this::nodes);
		if (nodes.isEmpty()) {
			return call.read(this.scripts.run(call), (reply) -> counted(asked, reply));
		}
		Set<String> present = new HashSet<>();
		for (RedisNode node : nodes) {
			present.addAll(present(node, call, asked));
		}
		if (!present.containsAll(asked) || this.places.isEmpty()) {
			for (RedisNode node : unknown(nodes)) {
				present.addAll(present(node, call, asked));
			}
		}
		return present;
	}

	/** Of a cluster, as far as the driver knows them; none otherwise. */
	private List<RedisNode> nodes(RedisConnection connection) {
		return (connection instanceof RedisClusterConnection cluster) ? connections().nodes(cluster) : List.of();
	}

	/**
	 * Nodes that the driver does not know yet. Another instance may: it has learned of
	 * them from a node, so each is asked. They are told apart by their ids: the addresses
	 * that they have for each other may not be those by which they can be reached.
	 */
	private List<RedisNode> unknown(List<RedisNode> known) {
		Set<String> asked = new HashSet<>();
		Map<String, RedisNode> listed = new LinkedHashMap<>();
		List<RedisNode> unknown = new ArrayList<>();
		Deque<RedisNode> left = new ArrayDeque<>(known);
		while (!left.isEmpty()) {
			byte[] listing = ask(left.remove(), (connection) -> (byte[]) connection.execute("CLUSTER", NODES));
			Replies.text(listing).lines().map((line) -> line.split(" ")).forEach((fields) -> {
				RedisNode node = other(fields[1], fields[2]);
				if (node == null) {
					asked.add(fields[0]);
				}
				else {
					listed.putIfAbsent(fields[0], node);
				}
			});
			if (left.isEmpty()) {
				listed.forEach((id, node) -> {
					if (asked.add(id)) {
						unknown.add(node);
						left.add(node);
					}
				});
			}
		}
		this.places = Set.copyOf(asked);
		return unknown;
	}

	/**
	 * A node that another one lists; {@code null} for that one itself, which may not know
	 * its address. Those who are connected to one that is said to fail live for all that.
	 */
	private static @Nullable RedisNode other(String address, String flags) {
		List<String> all = List.of(flags.split(","));
		if (UNKNOWN.stream().anyMatch(all::contains)) {
			throw new StoreUnavailableException(null, null,
					"Node " + address + " of the cluster cannot be asked who is connected: " + flags, null);
		}
		int end = address.indexOf('@');
		int port = address.lastIndexOf(':', end);
		return all.contains("myself") ? null
				: new RedisNode(address.substring(0, port), Integer.parseInt(address.substring(port + 1, end)));
	}

	private Set<String> present(RedisNode node, ScriptCall call, List<String> names) {
		return call.read(ask(node, (connection) -> this.scripts.evaluate(connection, call)),
				(reply) -> counted(names, reply));
	}

	private OwnConnections connections() {
		if (this.scripts.connections() instanceof OwnConnections connections) {
			return connections;
		}
		throw new StoreUnavailableException(null, null, "Nodes of a cluster cannot be asked who is connected: "
				+ "the connections are those of the application", null);
	}

	private <T> T ask(RedisNode node, Function<RedisConnection, T> question) {
		Duration timeout = this.scripts.connections().commandTimeout();
		try {
			T reply = connections().unshared(node, System.nanoTime())
				.with(timeout, (connection) -> question.apply(connection.connection()));
			if (reply == null) {
				throw new RedisConnectionFailureException("Unable to connect to " + node.asString());
			}
			return reply;
		}
		catch (DataAccessException ex) {
			throw RedisErrors.translate(PRESENT.stepName(), null, ex, timeout);
		}
	}

	private static Set<String> counted(List<String> names, List<?> counts) {
		return IntStream.range(0, names.size())
			.filter((i) -> (Long) counts.get(i) > 0)
			.mapToObj(names::get)
			.collect(Collectors.toSet());
	}

	@Override
	public void renew() {
		this.wakeChannel.renew(this.entered.values());
	}

	@Override
	public void counted(String source, String name) {
		this.scripts.run(this.scripts.call(HOLDERS, source).add(name + UNCOUNTED).add(name + COUNTED));
	}

	@Override
	public void forget(String source, String holder) {
		this.scripts.run(this.scripts.call(HOLDERS, source).add(holder).add(""));
	}

	@Override
	public int takeOver(String source, String name) {
		int leases = 0;
		String from = "";
		do {
			ScriptCall call = this.scripts.timed(TAKE_OVER, source).add(name).add(from);
			List<?> reply = this.scripts.run(call);
			from = call.read(reply, (each) -> Replies.text(each.get(0)));
			leases += call.read(reply, (each) -> ((Long) each.get(1)).intValue());
		}
		while (!from.isEmpty());
		return leases;
	}

}
