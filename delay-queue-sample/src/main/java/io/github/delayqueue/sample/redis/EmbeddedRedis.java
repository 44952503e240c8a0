package io.github.delayqueue.sample.redis;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real {@code redis-server} for a machine that has none. Its data stay in a folder and
 * are there again after a restart.
 * <p>
 * The server is a process of its own, in the background: Ctrl-C in a terminal reaches the
 * application alone, which stops the server once nothing uses it any more. After a
 * {@code kill -9} of the application the server goes on, and the next application to use
 * the folder joins it. So does a second application that runs at the same time; the last
 * one to end stops the server. Of the library with the executable only that is used: its
 * servers end with their JVM, and nobody can join them.
 */
final class EmbeddedRedis implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedis.class);

	/** How long a server may be silent that has just been started. */
	private static final Duration SILENCE = Duration.ofSeconds(5);

	private final DataFolder folder;

	private final LocalRedis server;

	private EmbeddedRedis(DataFolder folder, LocalRedis server) {
		this.folder = folder;
		this.server = server;
	}

	/**
	 * Join the server of a folder, or start one.
	 * @param dataDir the folder
	 * @param preferredPort its port; if that is in use or 0, any other
	 * @return the server, ready
	 * @throws EmbeddedRedisException if there is none for this platform or it cannot be
	 * started
	 */
	@SuppressWarnings("try") // the turn is only held
	static EmbeddedRedis start(Path dataDir, int preferredPort) {
		try {
			DataFolder folder = DataFolder.open(dataDir);
			try (FileLock turn = folder.takeTurn()) {
				return new EmbeddedRedis(folder, joinOrLaunch(folder, preferredPort));
			}
			catch (IOException | RuntimeException ex) {
				folder.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			// The message of a FileSystemException is the file, its class says what is
			// wrong
			String reason = (ex instanceof FileSystemException) ? ex.toString() : ex.getMessage();
			throw new EmbeddedRedisException(
					"The embedded Redis cannot be started in the folder " + dataDir + ": " + reason, ex);
		}
	}

	String host() {
		return LocalRedis.HOST;
	}

	int port() {
		return this.server.port();
	}

	@Override
	@SuppressWarnings("try") // the turn is only held
	public void close() {
		try (this.folder; FileLock turn = this.folder.takeTurn()) {
			if (this.folder.leave()) {
				this.server.shutdown();
				logger.info("Embedded Redis stopped, its data stay in {}", this.folder.path());
			}
			else {
				logger.info("Embedded Redis goes on, another application uses it");
			}
		}
		catch (IOException ex) {
			logger.warn("Embedded Redis on port {} did not stop: {}", port(), ex.toString());
		}
	}

	private static LocalRedis joinOrLaunch(DataFolder folder, int preferredPort) throws IOException {
		LocalRedis server = folder.findServer().orElse(null);
		String how = "found running";
		if (server == null) {
			how = "started";
			Path executable = RedisExecutable.install(folder.path());
			server = new LocalRedis(freePort(preferredPort));
			launch(executable, folder, server);
		}
		awaitReady(folder, server);
		logger.info("Embedded Redis {} {} on {}:{}, data in {}. Look inside with: redis-cli -p {} keys '*'",
				RedisExecutable.VERSION, how, LocalRedis.HOST, server.port(), folder.path(), server.port());
		return server;
	}

	private static void launch(Path executable, DataFolder folder, LocalRedis server) throws IOException {
		File log = folder.resolve("redis.log").toFile();
		List<String> command = List.of(executable.toString(), //
				"--bind", LocalRedis.HOST, "--port", String.valueOf(server.port()), //
				"--dir", folder.path().toString(), "--logfile", log.toString(), //
				// Every write goes to the append-only file, and each second to the disk
				"--appendonly", "yes", "--appendfsync", "everysec", "--save", "", //
				// A process group of its own, out of reach of Ctrl-C in the terminal
				"--daemonize", "yes", "--pidfile", folder.resolve("pid").toString());
		folder.noteServer(server);
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log))
			.start();
		try {
			int status = process.waitFor();
			if (status != 0) {
				throw new IOException("redis-server ended with status " + status + "; " + lastWords(folder));
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private static void awaitReady(DataFolder folder, LocalRedis server) throws IOException {
		long heard = System.nanoTime();
		LocalRedis.Answer answer = server.ping();
		while (answer != LocalRedis.Answer.READY) {
			if (answer == LocalRedis.Answer.LOADING) {
				heard = System.nanoTime();
			}
			else if (System.nanoTime() - heard > SILENCE.toNanos()) {
				throw new IOException(
						"redis-server does not answer on port " + server.port() + "; " + lastWords(folder));
			}
			try {
				Thread.sleep(10);
			}
			catch (InterruptedException ex) {
				throw interrupted(ex);
			}
			answer = server.ping();
		}
	}

	private static String lastWords(DataFolder folder) throws IOException {
		Path log = folder.resolve("redis.log");
		List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
		return "the last lines of " + log + " are: "
				+ String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
	}

	private static int freePort(int preferredPort) throws IOException {
		InetAddress host = InetAddress.getByName(LocalRedis.HOST);
		try (ServerSocket socket = new ServerSocket(preferredPort, 1, host)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			try (ServerSocket socket = new ServerSocket(0, 1, host)) {
				logger.info("Port {} is in use, the embedded Redis takes {}", preferredPort, socket.getLocalPort());
				return socket.getLocalPort();
			}
		}
	}

	private static IOException interrupted(InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new IOException("Interrupted while redis-server was starting", cause);
	}

}
