package io.github.delayqueue.replication;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisNode;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.failover.OwnConnections;
import io.github.delayqueue.failover.UnsharedConnections;
import io.github.delayqueue.failover.UnsharedConnections.UnsharedConnection;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.ScheduleReply.Doubt;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.redis.ConfirmedStep;
import io.github.delayqueue.store.redis.RedisErrors;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Runs a script and waits, on the same connection, until replicas have what it wrote. In
 * a cluster that is a connection to the node that has the queue. Public for wiring.
 */
public final class ReplicatedScripts implements ConfirmedStep {

	private static final int MAX_REDIRECTIONS = 5;

	private static final Duration MIN_MARGIN = Duration.ofMillis(150);

	/** How many replicas must have a task before scheduling returns: none by default. */
	public static final Option<Integer> MIN_REPLICAS = Option.number("producer.min-replicas", 0, 0);

	private final ScriptRunner scripts;

	private final ToIntFunction<String> minReplicas;

	private final ClusterNodes nodes;

	private final Duration commandTimeout;

	/** Between the end of a wait and the driver's time-out, for the answer to come. */
	private final Duration margin;

	/**
	 * Create, for scripts over the connections that a runner has.
	 * @param minReplicas how many replicas must have the tasks of a queue
	 */
	public ReplicatedScripts(ScriptRunner scripts, ToIntFunction<String> minReplicas) {
		this.scripts = scripts;
		this.minReplicas = minReplicas;
		this.nodes = new ClusterNodes(scripts.connections().commands());
		this.commandTimeout = scripts.connections().commandTimeout();
		long timeout = this.commandTimeout.toNanos();
		this.margin = Duration.ofNanos(Math.min(Math.max(timeout / 10, MIN_MARGIN.toNanos()), timeout / 2));
	}

	@Override
	public int wanted(String source) {
		return this.minReplicas.applyAsInt(Sources.queue(source));
	}

	@Override
	public ScheduleReply run(ScriptCall script, Function<List<?>, List<ScheduleOutcome>> reader, int minReplicas) {
		long end = System.nanoTime() + this.commandTimeout.toNanos();
		ReplicatedCall call = new ReplicatedCall(script, reader, minReplicas, end);
		return this.scripts.persistently(script.script().stepName(), script.queue(), false, () -> attempt(call));
	}

	private ScheduleReply attempt(ReplicatedCall call) {
		byte[] key = call.script().keysAndArguments()[0];
		RedisNode node = this.nodes.nodeOf(key);
		for (int redirections = 0;; redirections++) {
			try {
				return execute(call, node);
			}
			catch (DataAccessException ex) {
				RedisNode other = this.nodes.redirection(key, node, ex);
				if (other == null || redirections == MAX_REDIRECTIONS) {
					this.nodes.forget(key);
					throw ex;
				}
				node = other;
			}
		}
	}

	private ScheduleReply execute(ReplicatedCall call, @Nullable RedisNode node) {
		if (!(this.scripts.connections() instanceof OwnConnections connections)) {
			throw call.refused("delay-queue.producer.min-replicas needs a LettuceConnectionFactory or"
					+ " JedisConnectionFactory, not a class of its own. Nothing was done");
		}
		ScheduleReply result = connections.unshared(node, System.nanoTime())
			.with(call.left(), (connection) -> await(call, connections, connection,
					this.scripts.evaluate(connection.connection(), call.script())));
		if (result == null) {
			throw call.refused("all " + UnsharedConnections.MAX + " connections were waiting for replicas for "
					+ Names.printable(this.commandTimeout) + " (delay-queue.producer.min-replicas). Nothing was done");
		}
		return result;
	}

	/** The tasks are stored: whatever goes wrong now must not repeat the step. */
	private ScheduleReply await(ReplicatedCall call, OwnConnections connections, UnsharedConnection connection,
			List<?> reply) {
		List<ScheduleOutcome> outcomes = call.script().read(reply, call.reader());
		try {
			long millis = Math.max(1, call.left().minus(this.margin).toMillis());
			long replicas = connections.waitForReplicas(connection.connection(), call.minReplicas(), millis);
			return (replicas >= call.minReplicas()) ? ScheduleReply.of(outcomes)
					: new ScheduleReply(outcomes, new Doubt((int) replicas, call.minReplicas(), null));
		}
		catch (RuntimeException ex) {
			connection.broken();
			return new ScheduleReply(outcomes,
					new Doubt(0, call.minReplicas(),
							new DelayQueueException(call.script().queue(), null,
									"Could not wait for replicas of queue '" + call.script().queue() + "': "
											+ RedisErrors.rootMessage(ex),
									ex)));
		}
	}

	/** What is to be done, and until when by {@link System#nanoTime()}. */
	private record ReplicatedCall(ScriptCall script, Function<List<?>, List<ScheduleOutcome>> reader, int minReplicas,
			long end) {

		DelayQueueException refused(String why) {
			return new DelayQueueException(this.script.queue(), null,
					"Could not " + this.script.script().stepName() + " queue '" + this.script.queue() + "': " + why);
		}

		Duration left() {
			return Duration.ofNanos(Math.max(0, this.end - System.nanoTime()));
		}

	}

}
