package io.github.delayqueue.faults;

import java.util.List;
import java.util.Map;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.testsupport.RedisServer;

/**
 * Where a run takes place.
 */
interface Site extends AutoCloseable {

	/**
	 * How the processes of a slot reach Redis.
	 * @param slot the slot
	 * @return properties of Spring Boot
	 */
	List<String> properties(String slot);

	/**
	 * Connections past whatever breaks those of the processes.
	 * @return a started factory
	 */
	RedisConnectionFactory connect();

	/**
	 * All servers.
	 * @return some may be down
	 */
	List<RedisServer> servers();

	/**
	 * What can go wrong there besides the processes.
	 * @param log takes what happens to the clock
	 * @param observer sees what goes on
	 * @return the faults
	 */
	Map<FaultKind, Fault> faults(HistoryLog log, Observer observer);

	@Override
	void close();

}
