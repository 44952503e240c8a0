package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The folder of the embedded Redis and who uses it. Two servers must never write to it,
 * and the server must not end while another application uses it. Two locks see to that,
 * and because the operating system takes them from a process that dies, they hold after a
 * {@code kill -9} too:
 * <ul>
 * <li>the <em>turn</em> is held by the one application that just now starts or stops the
 * server,</li>
 * <li>the <em>use</em> is shared by all applications that are connected to it.</li>
 * </ul>
 */
final class DataFolder implements AutoCloseable {

	private static final long TURN = 0;

	private static final long USE = 1;

	private final Path path;

	private final FileChannel locks;

	private final FileLock use;

	private DataFolder(Path path, FileChannel locks, FileLock use) {
		this.path = path;
		this.locks = locks;
		this.use = use;
	}

	/**
	 * Open a folder, created if need be, and use it.
	 * @param path the folder
	 * @return the folder
	 * @throws IOException if it cannot be written
	 */
	static DataFolder open(Path path) throws IOException {
		Path folder = Files.createDirectories(path).toRealPath();
		FileChannel locks = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
		try {
			// An application that just stops the server holds the use alone until it has
			return new DataFolder(folder, locks, locks.lock(USE, 1, true));
		}
		catch (OverlappingFileLockException ex) {
			locks.close();
			throw new IOException("It is in use by this very process", ex);
		}
	}

	Path path() {
		return this.path;
	}

	Path resolve(String name) {
		return this.path.resolve(name);
	}

	FileLock takeTurn() throws IOException {
		return this.locks.lock(TURN, 1, false);
	}

	/**
	 * Stop to use the folder.
	 * @return whether nobody else uses it; nobody can until this is closed
	 * @throws IOException if the locks cannot be changed
	 */
	boolean leave() throws IOException {
		this.use.release();
		return this.locks.tryLock(USE, 1, false) != null;
	}

	/**
	 * The server that was last started here, if it still runs.
	 * @return the server
	 * @throws IOException if its port cannot be read
	 */
	Optional<LocalRedis> findServer() throws IOException {
		Path note = resolve("port");
		if (!Files.exists(note)) {
			return Optional.empty();
		}
		LocalRedis server = new LocalRedis(Integer.parseInt(Files.readString(note).trim()));
		// Another program may have the port by now
		return server.folder().filter(this.path.toString()::equals).map((folder) -> server);
	}

	void noteServer(LocalRedis server) throws IOException {
		Files.writeString(resolve("port"), server.port() + "\n");
	}

	@Override
	public void close() throws IOException {
		this.locks.close();
	}

}
