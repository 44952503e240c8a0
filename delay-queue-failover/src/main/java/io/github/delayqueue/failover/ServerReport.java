package io.github.delayqueue.failover;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a server that decide whether tasks are safe. A value that it does not
 * tell is {@link #UNKNOWN}; if several servers differ, the value is a list, separated by
 * commas.
 *
 * @param servers the addresses of the servers that were asked, if it is a cluster: its
 * primaries
 * @param version name and version, such as {@code Redis 7.0.15}
 * @param role {@code primary} or {@code replica}
 * @param maxmemoryPolicy what the server does when its memory is full
 * @param persistence {@code aof always}, {@code aof everysec}, {@code aof no},
 * {@code rdb} or {@code none}
 * @param readsFromReplicas whether the application routes reads to replicas, {@code null}
 * if that is not known
 * @param warnings what endangers tasks, each a sentence that says what to change
 */
public record ServerReport(List<String> servers, String version, String role, String maxmemoryPolicy,
		String persistence, @Nullable Boolean readsFromReplicas, List<String> warnings) {

	/** A value that the server does not tell. */
	public static final String UNKNOWN = "unknown";

}
