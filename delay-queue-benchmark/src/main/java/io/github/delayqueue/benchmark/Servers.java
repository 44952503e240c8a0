package io.github.delayqueue.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * Where the servers are that a system may use.
 *
 * @param redisHost host of Redis
 * @param redisPort port of Redis
 * @param postgresUrl JDBC URL with user and password, {@code null} if no system in this
 * run wants it
 */
public record Servers(String redisHost, int redisPort, @Nullable String postgresUrl) {

	/**
	 * The address of Redis as most drivers take it.
	 * @return an URL
	 */
	public String redis() {
		return "redis://" + this.redisHost + ":" + this.redisPort;
	}

	/**
	 * The address of PostgreSQL.
	 * @return the JDBC URL
	 * @throws IllegalStateException if there is none
	 */
	public String postgres() {
		if (this.postgresUrl == null) {
			throw new IllegalStateException("No PostgreSQL in this run");
		}
		return this.postgresUrl;
	}

	/**
	 * The address of PostgreSQL for systems whose commits wait for the disk.
	 * @return the JDBC URL
	 * @throws IllegalStateException if there is none
	 */
	public String durablePostgres() {
		String url = postgres();
		return url + (url.contains("?") ? "&" : "?") + "options=-c%20synchronous_commit=on";
	}

}
