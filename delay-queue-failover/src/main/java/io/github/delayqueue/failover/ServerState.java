package io.github.delayqueue.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import io.github.delayqueue.store.redis.RedisErrors;

import static io.github.delayqueue.failover.ServerReport.UNKNOWN;

/**
 * What one server says of itself, by {@code INFO} and, because there it does not say
 * everything about persistence, by {@code CONFIG GET}. Either may be refused.
 */
record ServerState(String address, String version, String role, String maxmemoryPolicy, String persistence) {

	static ServerState of(String address, Supplier<@Nullable Properties> info,
			Function<String, @Nullable Properties> config) {
		Properties properties = unlessRefused(info);
		return new ServerState(address, version(properties), role(properties),
				properties.getProperty("maxmemory_policy", UNKNOWN), persistence(properties, config));
	}

	/** Sentences that say what endangers tasks, what comes of it, and what to change. */
	List<String> warnings(boolean restored) {
		List<String> warnings = new ArrayList<>();
		String name = this.address.isEmpty() ? "Redis" : "Redis at " + this.address;
		if (!this.maxmemoryPolicy.equals("noeviction") && !this.maxmemoryPolicy.equals(UNKNOWN)) {
			String consequence = this.maxmemoryPolicy.startsWith("volatile-")
					? "deletes keys that have an expiry, and those of the delay queue are safe only as long as nobody gives "
							+ "them one"
					: "deletes keys, and with them whole queues of tasks";
			warnings.add(name + " has the maxmemory-policy " + this.maxmemoryPolicy + ": when its memory is full it "
					+ consequence + "; set maxmemory-policy to noeviction");
		}
		if (this.persistence.equals("none")) {
			warnings.add(name + " writes nothing to disk: when it restarts, "
					+ (restored
							? "the journal restores all tasks, but pauses, totals, completed tasks that are kept "
									+ "and how often a task was tried are lost"
							: "all tasks are lost, except those of queues with a journal")
					+ "; set appendonly to yes and appendfsync to everysec or always");
		}
		if (this.role.equals("replica")) {
			warnings.add(name + " is a replica: it refuses to schedule and to deliver tasks; "
					+ "set spring.data.redis.* to the primary");
		}
		return warnings;
	}

	private static String version(Properties info) {
		String valkey = info.getProperty("valkey_version");
		String redis = info.getProperty("redis_version");
		return (valkey != null) ? "Valkey " + valkey : (redis != null) ? "Redis " + redis : UNKNOWN;
	}

	private static String role(Properties info) {
		return switch (info.getProperty("role", "")) {
			case "master" -> "primary";
			case "slave" -> "replica";
			default -> UNKNOWN;
		};
	}

	private static String persistence(Properties info, Function<String, @Nullable Properties> config) {
		String appendOnly = info.getProperty("aof_enabled");
		if ("1".equals(appendOnly)) {
			String fsync = setting("appendfsync", config);
			return (fsync != null) ? "aof " + fsync : "aof";
		}
		String save = setting("save", config);
		if (appendOnly == null || save == null) {
			return UNKNOWN;
		}
		return save.isBlank() ? "none" : "rdb";
	}

	private static @Nullable String setting(String name, Function<String, @Nullable Properties> config) {
		return unlessRefused(() -> config.apply(name)).getProperty(name);
	}

	/** What the server says, and nothing if it refuses to. */
	static Properties unlessRefused(Supplier<@Nullable Properties> question) {
		try {
			return Objects.requireNonNullElseGet(question.get(), Properties::new);
		}
		catch (DataAccessException ex) {
			if (RedisErrors.isAnswer(ex)) {
				return new Properties();
			}
			throw ex;
		}
	}

}
