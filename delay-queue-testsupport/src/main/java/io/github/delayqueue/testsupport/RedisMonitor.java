package io.github.delayqueue.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import static org.awaitility.Awaitility.await;

/**
 * Counts the commands that a server carries out, those of clients and those of scripts
 * apart, by {@code MONITOR}. For servers with little to do.
 */
public final class RedisMonitor {

	private final Socket socket;

	private final Thread thread;

	private final Consumer<String> listener;

	private volatile Seen seen = new Seen(0, 0);

	private RedisMonitor(Socket socket, Consumer<String> listener) {
		this.socket = socket;
		this.listener = listener;
		this.thread = new Thread(this::read, "monitor");
	}

	/**
	 * Start to count.
	 * @param host of the server
	 * @param port of the server
	 * @return counts until it is stopped
	 */
	public static RedisMonitor start(String host, int port) {
		return start(host, port, (line) -> {
		});
	}

	/**
	 * Start to count.
	 * @param host of the server
	 * @param port of the server
	 * @param listener is shown each line, on a thread of the monitor
	 * @return counts until it is stopped
	 */
	public static RedisMonitor start(String host, int port, Consumer<String> listener) {
		try {
			Socket socket = new Socket(host, port);
			socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			RedisMonitor monitor = new RedisMonitor(socket, listener);
			monitor.thread.start();
			return monitor;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.seen = this.seen.plus(line);
				this.listener.accept(line);
			}
		}
		catch (IOException ex) {
			if (!this.socket.isClosed()) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * What a server carries out during an action, and for others meanwhile.
	 * @param redis the server
	 * @param action does something, and has been answered when it returns
	 * @return a line for each command, those of scripts with {@code lua]} before them
	 */
	public static List<String> during(RedisServer redis, Runnable action) {
		List<String> lines = new CopyOnWriteArrayList<>();
		RedisMonitor monitor = start(redis.host(), redis.port(), lines::add);
		try {
			await().until(() -> !lines.isEmpty());
			action.run();
			String end = UUID.randomUUID().toString();
			redis.cli("ECHO", end);
			await().until(() -> lines.stream().anyMatch((line) -> line.contains(end)));
			return List.copyOf(lines);
		}
		finally {
			monitor.stop();
		}
	}

	/**
	 * Stop.
	 * @return what was seen
	 */
	public Seen stop() {
		try {
			this.socket.close();
			this.thread.join();
			return this.seen;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Numbers of commands.
	 *
	 * @param commands those that clients sent
	 * @param inner those that scripts called
	 */
	public record Seen(long commands, long inner) {

		/**
		 * Count a line.
		 * @param line such as {@code +1795275000.123456 [0 127.0.0.1:50000] "PING"}, with
		 * {@code lua} in place of the address for what a script calls
		 * @return the numbers with that
		 */
		Seen plus(String line) {
			int bracket = line.indexOf('[');
			if (bracket < 0) {
				// the answer to MONITOR itself
				return this;
			}
			return line.startsWith(" lua]", line.indexOf(' ', bracket)) ? new Seen(this.commands, this.inner + 1)
					: new Seen(this.commands + 1, this.inner);
		}

	}

}
