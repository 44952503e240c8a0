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

import static org.awaitility.Awaitility.await;

/**
 * What a server carries out, by {@code MONITOR}. For servers with little to do.
 */
public final class RedisMonitor {

	private RedisMonitor() {
	}

	/**
	 * What a server carries out during an action, and for others meanwhile.
	 * @param action does something, and has been answered when it returns
	 * @return a line for each command, those of scripts with {@code lua]} before them
	 */
	public static List<String> during(RedisNode server, Runnable action) {
		List<String> lines = new CopyOnWriteArrayList<>();
		try (Socket socket = new Socket(server.host(), server.port())) {
			new Thread(() -> read(socket, lines), "monitor").start();
			socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			await().until(() -> !lines.isEmpty());
			action.run();
			String end = UUID.randomUUID().toString();
			server.cli("ECHO", end);
			await().until(() -> lines.stream().anyMatch((line) -> line.contains(end)));
			return List.copyOf(lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void read(Socket socket, List<String> lines) {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				lines.add(line);
			}
		}
		catch (IOException ex) {
			// closed: it has seen enough
		}
	}

}
