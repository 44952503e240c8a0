package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A running server that tests share, see {@link TestServers}. They use queues of their
 * own names and never flush, stop or configure it. Thread-safe.
 */
public final class TestServer extends RedisNode {

	private final @Nullable Path executable;

	private final RespConnection connection;

	private final String name;

	/**
	 * Connect to a server.
	 * @param executable what it runs, {@code null} if that is out of reach
	 */
	TestServer(String host, int port, @Nullable Path executable) {
		super(host, port);
		this.executable = executable;
		try {
			this.connection = RespConnection.open(host, port, Patience.LIMIT);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The server at " + host + ":" + port + " cannot be reached", ex);
		}
		this.name = version();
	}

	/** Valkey says what Redis it is like, too. */
	static String nameOf(Map<String, String> info) {
		String valkey = info.get("valkey_version");
		return (valkey != null) ? "Valkey " + valkey : "Redis " + info.get("redis_version");
	}

	/** Over a connection that all calls share. */
	@Override
	public @Nullable Object cli(String... command) {
		synchronized (this.connection) {
			try {
				return this.connection.call(command);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(this + " did not answer " + String.join(" ", command), ex);
			}
		}
	}

	/**
	 * Begin a server of the same version that is a test's own, to be stopped and
	 * configured as the test likes. Where this server is in an image, the test is
	 * aborted.
	 */
	public RedisServer.Builder newProcess() {
		if (this.executable == null) {
			throw new TestAbortedException(this + " is in an image");
		}
		return RedisServer.builder().executable(this.executable);
	}

	/** Kind and version, as in {@code Redis 6.2.7}. */
	@Override
	public String toString() {
		return this.name;
	}

}
