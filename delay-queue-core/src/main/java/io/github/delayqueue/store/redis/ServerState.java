package io.github.delayqueue.store.redis;

import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import static io.github.delayqueue.store.ServerReport.UNKNOWN;

/**
 * What one server says of itself, by {@code INFO} and, because there it does not say
 * everything about persistence, by {@code CONFIG GET}. Either may be refused.
 *
 * @param address where it is, empty if there is only one
 * @param version name and version
 * @param role primary or replica
 * @param maxmemoryPolicy what happens when its memory is full
 * @param persistence what it writes to disk
 */
record ServerState(String address, String version, String role, String maxmemoryPolicy, String persistence) {

	/**
	 * Ask a server.
	 * @param address where it is, empty if there is only one
	 * @param info asks for its information
	 * @param config asks for a setting
	 * @return what it says
	 * @throws DataAccessException if it does not answer
	 */
	static ServerState of(String address, Supplier<@Nullable Properties> info,
			Function<String, @Nullable Properties> config) {
		Properties properties = unlessRefused(info);
		return new ServerState(address, version(properties), role(properties),
				properties.getProperty("maxmemory_policy", UNKNOWN), persistence(properties, config));
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

	private static Properties unlessRefused(Supplier<@Nullable Properties> question) {
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
