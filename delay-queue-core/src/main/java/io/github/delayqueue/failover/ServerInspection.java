package io.github.delayqueue.failover;

import java.util.Optional;

/** Looks at the server behind a store. Thread-safe. */
public interface ServerInspection {

	/**
	 * The latest report of the server. Asks it at most once a minute.
	 * @return the report, empty if the server has not been reached
	 */
	Optional<ServerReport> report();

}
