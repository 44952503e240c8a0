package io.github.delayqueue.failover;

import java.util.Optional;

/** Looks at the server behind a store. Thread-safe. */
public interface ServerInspection {

	/**
	 * The latest report, empty if the server has not been reached. Asks once a minute.
	 */
	Optional<ServerReport> report();

}
