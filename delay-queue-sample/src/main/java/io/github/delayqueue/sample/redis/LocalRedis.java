package io.github.delayqueue.sample.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one has to ask a server on this machine before anybody connects to it and after
 * everybody has left: three commands over a plain socket.
 *
 * @param port its port
 */
record LocalRedis(int port) {

	static final String HOST = "127.0.0.1";

	private static final int TIMEOUT_MILLIS = 2_000;

	enum Answer {

		/** Nobody answers, or not as Redis does. */
		NONE,

		/** It reads its data. */
		LOADING,

		/** It is ready. */
		READY

	}

	Answer ping() {
		try {
			String answer = ask("PING", 1).get(0);
			return answer.equals("+PONG") ? Answer.READY : answer.startsWith("-LOADING") ? Answer.LOADING : Answer.NONE;
		}
		catch (IOException ex) {
			return Answer.NONE;
		}
	}

	/**
	 * Its data folder.
	 * @return the folder, empty if nobody answers or somebody else
	 */
	Optional<String> folder() {
		try {
			// *2, $3, dir, $<length>, <folder>
			List<String> answer = ask("CONFIG GET dir", 5);
			return (answer.size() == 5) ? Optional.of(answer.get(4)) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Let it write what it has and end. Returns when it has ended.
	 * @throws IOException if it does not
	 */
	void shutdown() throws IOException {
		List<String> answer = ask("SHUTDOWN", 1);
		if (!answer.isEmpty()) {
			throw new IOException(answer.get(0));
		}
	}

	private List<String> ask(String command, int lines) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getByName(HOST), this.port), TIMEOUT_MILLIS);
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			BufferedReader reader = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			List<String> answer = new ArrayList<>();
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				answer.add(line);
				if (answer.size() == lines || line.startsWith("-")) {
					break;
				}
			}
			return answer;
		}
	}

}
