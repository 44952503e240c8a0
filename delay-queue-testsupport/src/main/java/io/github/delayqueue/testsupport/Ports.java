package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface on which nobody listens, each given once. They are
 * below those that outgoing connections get: a client that keeps trying to reach a
 * stopped server on one of those may end up connected to itself, and the server never
 * gets its port back.
 */
final class Ports {

	static final String HOST = "127.0.0.1";

	/** A node of a cluster listens on another port, so much above its own. */
	static final int BUS_OFFSET = 10_000;

	/** What was given to somebody who may not listen on it yet. */
	private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

	private Ports() {
	}

	static int free() {
		return free(false);
	}

	/** One that a node of a cluster can have. */
	static int freeWithBus() {
		return free(true);
	}

	private static int free(boolean withBus) {
		for (int attempt = 0; attempt < 1000; attempt++) {
			int candidate = ThreadLocalRandom.current().nextInt(15_000, withBus ? 22_000 : 32_000);
			if (isFree(candidate) && (!withBus || isFree(candidate + BUS_OFFSET)) && GIVEN.add(candidate)) {
				return candidate;
			}
		}
		throw new IllegalStateException("No free port found");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
