package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface on which nobody listens, each given once, to one JVM of
 * all that run tests here: its server may be down for a while and want it back. They are
 * below those that outgoing connections get: a client that keeps trying to reach a
 * stopped server on one of those may end up connected to itself, and the server never
 * gets its port back.
 */
final class Ports {

	static final String HOST = "127.0.0.1";

	/** A node of a cluster listens on another port, so much above its own. */
	static final int BUS_OFFSET = 10_000;

	/** The byte of a port is locked by the JVM that has it, until its end. */
	private static final FileChannel LOCKS = openLocks();

	private Ports() {
	}

	static int free() {
		return free(15_000, 32_000, false);
	}

	/** One that a node of a cluster can have. */
	static int freeWithBus() {
		return free(15_000, 22_000, true);
	}

	static int free(int from, int to, boolean withBus) {
		for (int attempt = 0; attempt < 1000; attempt++) {
			int candidate = ThreadLocalRandom.current().nextInt(from, to);
			if (take(candidate) && (!withBus || take(candidate + BUS_OFFSET))) {
				return candidate;
			}
		}
		throw new IllegalStateException("No free port found");
	}

	private static boolean take(int port) {
		try {
			return LOCKS.tryLock(port, 1, false) != null && isFree(port);
		}
		catch (OverlappingFileLockException ex) {
			// Given by this JVM
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether nobody listens. This does not listen either: a process that is just being
	 * started has all sockets of this one for a moment, and would go on listening.
	 */
	private static boolean isFree(int port) {
		try (Socket socket = new Socket()) {
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(HOST, port));
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static FileChannel openLocks() {
		try {
			return FileChannel.open(Path.of(System.getProperty("java.io.tmpdir"), "delay-queue-test-ports"),
					StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
