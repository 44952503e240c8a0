package io.github.delayqueue.test;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * A {@code redis-server} of the test's own: the one that {@code REDIS_SERVER} names, or
 * on the {@code PATH}, or of a Maven artifact.
 */
public final class LocalRedis implements AutoCloseable {

	private final Process process;

	private final int port;

	private LocalRedis(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	public static LocalRedis start() {
		try {
			int port = freePort();
			Process process = new ProcessBuilder(List.of(executable(), "--bind", "127.0.0.1", "--port",
					String.valueOf(port), "--save", "", "--appendonly", "no"))
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			await().atMost(Duration.ofSeconds(20)).until(() -> answers(port));
			return new LocalRedis(process, port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

	private static boolean answers(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static String executable() throws IOException {
		String named = System.getenv("REDIS_SERVER");
		if (named != null) {
			return named;
		}
		for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
			Path file = Path.of(folder, "redis-server");
			if (Files.isExecutable(file)) {
				return file.toString();
			}
		}
		return ofArtifact();
	}

	private static String ofArtifact() throws IOException {
		String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
		String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
		String name = "redis-server-7.0.15-" + system + "-" + machine;
		Path file = Files.createTempFile("redis-server", "");
		file.toFile().deleteOnExit();
		try (@Nullable
		InputStream content = LocalRedis.class.getResourceAsStream("/" + name)) {
			if (content == null) {
				throw new IOException("There is no " + name);
			}
			Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
		}
		if (!file.toFile().setExecutable(true)) {
			throw new IOException(file + " cannot be made executable");
		}
		return file.toString();
	}

	public int port() {
		return this.port;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
