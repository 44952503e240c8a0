package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.opentest4j.TestAbortedException;

import org.springframework.util.FileSystemUtils;

/**
 * A folder for servers of a test's own that forgets, when the power is cut, what they had
 * not synced. Where they are started with {@link #environment()}, a library in C stands
 * in place of {@code fsync} and {@code fdatasync}, and copies the file.
 * <p>
 * It forgets as much as a disk may: of a file, all that was written since it was last
 * synced. A real disk forgets some of that, in any order, and may tear a write. Names it
 * does not forget: files that were renamed or deleted are, as on a file system that
 * writes down such steps at once and in their order. What becomes of a file that was
 * never synced is a question of the cut.
 * <p>
 * Not for several threads at once.
 */
public final class ForgetfulDisk implements AutoCloseable {

	private static final String SOURCE = "io/github/delayqueue/testsupport/forgetful_disk.c";

	private final Path library;

	private final Path root;

	private final Path folder;

	private final Path synced;

	private ForgetfulDisk(Path library, Path root) throws IOException {
		this.library = library;
		this.root = root;
		this.folder = Files.createDirectory(root.resolve("disk"));
		this.synced = Files.createDirectory(root.resolve("synced"));
	}

	/**
	 * Make a disk with nothing on it.
	 * @throws TestAbortedException if there is no C compiler
	 */
	public static ForgetfulDisk create() {
		Path library = CLibrary.compile(SOURCE);
		try {
			return new ForgetfulDisk(library, Files.createTempDirectory("delay-queue-disk-").toRealPath());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where servers are to keep their data. */
	public Path folder() {
		return this.folder;
	}

	/** What servers that are to use it need in their environment. */
	public Map<String, String> environment() {
		return Map.of("LD_PRELOAD", this.library.toString(), "FORGETFUL_DISK", this.folder.toString(),
				"FORGETFUL_DISK_SYNCED", this.synced.toString());
	}

	/**
	 * Whether a server has synced anything. One that is statically linked, or syncs in
	 * another way than the library knows, never has.
	 */
	public boolean isSynced() {
		return Files.exists(this.synced.resolve("lock"));
	}

	/** Let everything that is on it count as synced. No server may run. */
	public void sync() {
		forEach(this.synced, Files::delete);
		forEach(this.folder, (file) -> {
			Files.createLink(this.synced.resolve(inode(file) + ".link"), file);
			Files.copy(file, this.synced.resolve(inode(file)));
		});
	}

	/**
	 * Forget what was not synced. No server may run any more: all were killed.
	 * @param neverSynced what becomes of files that were never synced, nor the folder
	 * that they are in
	 * @return when anything was synced last: what was written before that is there
	 */
	public Instant cutPower(NeverSynced neverSynced) {
		Instant last = lastSync();
		forEach(this.folder, (file) -> {
			Path copy = this.synced.resolve(inode(file));
			if (Files.exists(copy)) {
				Files.write(file, Files.readAllBytes(copy));
			}
			else if (neverSynced == NeverSynced.EMPTY) {
				Files.write(file, new byte[0]);
			}
			else {
				Files.delete(file);
			}
		});
		sync();
		return last;
	}

	private Instant lastSync() {
		Instant[] last = { Instant.EPOCH };
		forEach(this.synced, (file) -> {
			Instant time = Files.getLastModifiedTime(file).toInstant();
			boolean copy = file.getFileName().toString().chars().allMatch(Character::isDigit);
			last[0] = (copy && time.isAfter(last[0])) ? time : last[0];
		});
		return last[0];
	}

	private static String inode(Path file) throws IOException {
		return Files.getAttribute(file, "unix:ino").toString();
	}

	private static void forEach(Path folder, FileStep step) {
		try (Stream<Path> files = Files.walk(folder)) {
			List<Path> regular = files.filter(Files::isRegularFile).toList();
			for (Path file : regular) {
				step.take(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Delete it. No server may run. */
	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.root);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What becomes of a file when it was never synced, nor the folder that it is in. */
	public enum NeverSynced {

		/** There is its name. */
		EMPTY,

		/** It never was there. */
		GONE

	}

	@FunctionalInterface
	private interface FileStep {

		void take(Path file) throws IOException;

	}

}
