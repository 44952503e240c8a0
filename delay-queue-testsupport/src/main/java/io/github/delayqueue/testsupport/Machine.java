package io.github.delayqueue.testsupport;

import java.util.List;

/**
 * Where a process of a test runs.
 *
 * @param number which one it is; the one that tests run on is 0
 * @param address of its network interface
 * @param command what a command line begins with that is to run there
 */
public record Machine(int number, String address, List<String> command) {

	/** The one that tests run on, by its loopback interface. */
	public static final Machine LOCAL = new Machine(0, Ports.HOST, List.of());

	boolean isLocal() {
		return this.command.isEmpty();
	}

}
