package io.github.delayqueue.testsupport;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a server says of its replication.
 *
 * @param info the lines of the section of {@code INFO}
 */
record Replication(Map<String, String> info) {

	static Replication of(RedisServer server) {
		return new Replication(String.valueOf(server.cli("INFO", "replication"))
			.lines()
			.filter((line) -> line.contains(":"))
			.map((line) -> line.split(":", 2))
			.collect(Collectors.toMap((pair) -> pair[0], (pair) -> pair[1])));
	}

	/**
	 * Whether it is a primary that sends all its writes to the given number of replicas.
	 * @param replicas how many
	 * @return whether it does
	 */
	boolean isComplete(int replicas) {
		return "master".equals(this.info.get("role")) && this.info.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith("slave") && entry.getValue().contains("state=online"))
			.count() == replicas;
	}

}
