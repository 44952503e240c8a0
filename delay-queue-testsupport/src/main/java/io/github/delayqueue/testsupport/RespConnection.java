package io.github.delayqueue.testsupport;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * One connection that speaks the protocol of Redis and nothing else, so that tests look
 * into a server without the driver they test.
 */
public final class RespConnection implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final Socket socket;

	private final InputStream input;

	private RespConnection(Socket socket) throws IOException {
		this.socket = socket;
		this.input = new BufferedInputStream(socket.getInputStream());
	}

	public static RespConnection open(String host, int port, Duration timeout) throws IOException {
		Socket socket = new Socket();
		try {
			socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
			socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
			socket.setTcpNoDelay(true);
			return new RespConnection(socket);
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	/**
	 * Send one command over a connection of its own.
	 * @param host the server's host
	 * @param port the server's port
	 * @param command the command and its arguments
	 */
	static @Nullable Object callOnce(String host, int port, String... command) {
		try (RespConnection connection = open(host, port, TIMEOUT)) {
			return connection.call(command);
		}
		catch (IOException ex) {
			throw new IllegalStateException(String.format(Locale.ROOT, "Redis at %s:%d did not answer %s", host, port,
					String.join(" ", command)), ex);
		}
	}

	/**
	 * Send a command and read its reply.
	 * @param command the command and its arguments
	 * @return a {@link Long}, a {@link String}, a {@link List} of these, or {@code null}
	 * @throws IOException if the connection breaks or is silent for too long
	 * @throws IllegalStateException with the server's message if it answers an error
	 */
	public @Nullable Object call(String... command) throws IOException {
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		request.writeBytes(line("*" + command.length));
		for (String argument : command) {
			byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
			request.writeBytes(line("$" + bytes.length));
			request.writeBytes(bytes);
			request.writeBytes(line(""));
		}
		this.socket.getOutputStream().write(request.toByteArray());
		return read();
	}

	private static byte[] line(String text) {
		return (text + "\r\n").getBytes(StandardCharsets.UTF_8);
	}

	/** Read the next reply, or message. */
	public @Nullable Object read() throws IOException {
		String header = readLine();
		String rest = header.substring(1);
		return switch (header.charAt(0)) {
			case '+' -> rest;
			case '-' -> throw new IllegalStateException(rest);
			case ':' -> Long.valueOf(rest);
			case '$' -> readBulk(Integer.parseInt(rest));
			case '*' -> readArray(Integer.parseInt(rest));
			default -> throw new IOException("Not a reply of Redis: " + header);
		};
	}

	private @Nullable String readBulk(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] bytes = this.input.readNBytes(length);
		readLine();
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private @Nullable List<@Nullable Object> readArray(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		List<@Nullable Object> elements = new ArrayList<>(length);
		for (int i = 0; i < length; i++) {
			elements.add(read());
		}
		return elements;
	}

	private String readLine() throws IOException {
		byte[] line = RespFrames.readLine(this.input);
		if (line == null) {
			throw new EOFException("Redis closed the connection");
		}
		return new String(line, StandardCharsets.UTF_8);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
