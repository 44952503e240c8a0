package io.github.delayqueue.replication;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.ClusterStateFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.core.RedisTemplate;

import io.github.delayqueue.store.redis.Replies;

/** Which node of a cluster has a key. Over single connections no driver redirects. */
final class ClusterNodes {

	private static final Pattern REDIRECTION = Pattern.compile("(MOVED|ASK) \\d+ (\\S*):(\\d{1,5})(?!\\d)");

	private static final int MAX_PORT = 65535;

	private final RedisTemplate<byte[], byte[]> template;

	/** What servers said where the driver knew it otherwise: few, by key. */
	private final Map<String, RedisNode> moved = new ConcurrentHashMap<>();

	ClusterNodes(RedisTemplate<byte[], byte[]> template) {
		this.template = template;
	}

	/** The node that has a key, {@code null} if this is not a cluster. */
	@Nullable RedisNode nodeOf(byte[] key) {
		RedisNode known = this.moved.get(Replies.text(key));
		if (known != null) {
			return known;
		}
		return this.template
			.execute((RedisConnection connection) -> (connection instanceof RedisClusterConnection cluster)
					? cluster.clusterGetNodeForKey(key) : null);
	}

	/** Forget what servers said of a key, because it led nowhere. */
	void forget(byte[] key) {
		this.moved.remove(Replies.text(key));
	}

	/**
	 * Learn where to ask instead, if the answer says so. While the slot of the key moves,
	 * the step has to wait: it needs all its keys in one place.
	 */
	@Nullable RedisNode redirection(byte[] key, @Nullable RedisNode asked, DataAccessException error) {
		for (Throwable cause = error; cause != null && asked != null; cause = cause.getCause()) {
			Matcher matcher = REDIRECTION.matcher(Objects.requireNonNullElse(cause.getMessage(), ""));
			int port = matcher.lookingAt() ? Integer.parseInt(matcher.group(3)) : 0;
			if (port > 0 && port <= MAX_PORT) {
				if (matcher.group(1).equals("ASK")) {
					throw new ClusterStateFailureException("TRYAGAIN Slot is moving: " + cause.getMessage(), error);
				}
				String host = matcher.group(2).isEmpty() ? asked.getHost() : matcher.group(2);
				RedisNode node = new RedisNode(host, port);
				this.moved.put(Replies.text(key), node);
				return node;
			}
		}
		return null;
	}

}
