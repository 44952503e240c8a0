package io.github.delayqueue.benchmark.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.testsupport.RedisNode;

/**
 * What this process and the servers of a system have used so far.
 *
 * @param clientSeconds CPU time of this process
 * @param serverSeconds CPU time of the servers
 * @param commands commands of Redis, with those that scripts call
 */
record Usage(double clientSeconds, double serverSeconds, double commands) {

	static Usage now(SystemType type, Servers servers) {
		double server = 0;
		double commands = 0;
		if (type.has(Trait.REDIS)) {
			Map<String, String> cpu = redis(servers, "cpu");
			server += Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"));
			commands = redis(servers, "commandstats").values()
				.stream()
				.mapToLong((calls) -> Long.parseLong(calls.substring("calls=".length(), calls.indexOf(','))))
				.sum();
		}
		if (type.has(Trait.POSTGRES)) {
			server += postgresSeconds(servers);
		}
		return new Usage(seconds(ProcessHandle.current()), server, commands);
	}

	/**
	 * Add what was used meanwhile to a sample, per task.
	 * @param sample what there is so far
	 * @param before the usage when the tasks began
	 * @param tasks how many there were
	 * @return the sample with that
	 */
	Sample addTo(Sample sample, Usage before, long tasks) {
		double each = Math.max(1, tasks);
		Sample more = sample.with("clientCpu", 1e6 * (this.clientSeconds - before.clientSeconds) / each)
			.with("serverCpu", 1e6 * (this.serverSeconds - before.serverSeconds) / each);
		return (this.commands > 0) ? more.with("commands", (this.commands - before.commands) / each) : more;
	}

	double cpuSeconds() {
		return this.clientSeconds + this.serverSeconds;
	}

	/**
	 * What Redis tells of itself, by a connection of its own.
	 * @param servers where it is
	 * @param section section of {@code INFO}
	 * @return names and values
	 */
	static Map<String, String> redis(Servers servers, String section) {
		return new RedisNode(servers.redisHost(), servers.redisPort()).info(section);
	}

	private static double postgresSeconds(Servers servers) {
		try (Connection connection = DriverManager.getConnection(servers.postgres());
				ResultSet pid = connection.createStatement().executeQuery("SELECT pg_backend_pid()")) {
			pid.next();
			ProcessHandle server = ProcessHandle.of(pid.getLong(1)).flatMap(ProcessHandle::parent).orElseThrow();
			return Stream.concat(Stream.of(server), server.descendants()).mapToDouble(Usage::seconds).sum();
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL does not tell its process", ex);
		}
	}

	private static double seconds(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
	}

}
