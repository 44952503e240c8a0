package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a {@link RedisServer} that can be set: libfaketime, loaded before the
 * server's own libraries, adds to the machine's time what it reads in a file.
 */
final class ServerClock {

	/** The library looks into the file at most that often. */
	private static final Duration LATENCY = Duration.ofSeconds(1);

	private static final Path SHARED_MEMORY = Path.of("/dev/shm");

	private static final List<String> LIBRARY_FOLDERS = List.of("/usr/lib", "/usr/lib64", "/usr/local/lib");

	/**
	 * The memory allocator of the C library, under which libfaketime works: jemalloc,
	 * which Redis is mostly linked with, reads the clock while it is being set up,
	 * libfaketime allocates memory while it is, and each waits for the other for ever.
	 * Where this part of the C library is missing, the loader does without.
	 */
	private static final String ALLOCATOR = "libc_malloc_debug.so.0";

	private static final @Nullable Path LIBRARY = findLibrary();

	private final Path file;

	private Duration offset = Duration.ZERO;

	ServerClock(Path directory) {
		this.file = directory.resolve("clock-offset");
	}

	Duration offset() {
		return this.offset;
	}

	void shift(Duration offset) {
		this.offset = offset;
		try {
			// moved into place, so that it is never read half-written
			Path draft = Files.writeString(this.file.resolveSibling("clock-offset.new"), text(offset) + "\n");
			Files.move(draft, this.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What a process needs in its environment for this clock. */
	Map<String, String> environment() {
		if (LIBRARY == null) {
			throw new IllegalStateException("libfaketime is not installed (Debian's package faketime)");
		}
		shift(this.offset);
		return Map.of("LD_PRELOAD", ALLOCATOR + " " + LIBRARY, "FAKETIME_TIMESTAMP_FILE", this.file.toString(),
				"FAKETIME_CACHE_DURATION", String.valueOf(LATENCY.toSeconds()), "FAKETIME_DONT_FAKE_MONOTONIC", "1");
	}

	private static String text(Duration offset) {
		BigDecimal seconds = BigDecimal.valueOf(offset.toMillis(), 3);
		return ((seconds.signum() < 0) ? "" : "+") + seconds.toPlainString();
	}

	/**
	 * Remove what the library leaves in shared memory when its process is killed.
	 * @param pid the process, which has ended
	 */
	static void tidyUp(long pid) {
		try {
			Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
			Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether clocks of servers can be set here, which is tried out once.
	 * @return whether
	 */
	static boolean isAdjustable() {
		return Trial.SUCCEEDED;
	}

	private static @Nullable Path findLibrary() {
		return LIBRARY_FOLDERS.stream()
			.map(Path::of)
			.filter(Files::isDirectory)
			.flatMap((folder) -> Stream.concat(Stream.of(folder), foldersIn(folder)))
			.map((folder) -> folder.resolve("faketime").resolve("libfaketime.so.1"))
			.filter(Files::isReadable)
			.findFirst()
			.orElse(null);
	}

	/** Debian has one for each kind of processor. */
	private static Stream<Path> foldersIn(Path parent) {
		try (Stream<Path> folders = Files.list(parent)) {
			return folders.filter((folder) -> folder.toString().contains("-linux-")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Trial {

		private static final Duration OFFSET = Duration.ofDays(1000);

		static final boolean SUCCEEDED = LIBRARY != null && succeeds();

		/**
		 * A statically linked server keeps the machine's time, another one may not even
		 * start.
		 */
		private static boolean succeeds() {
			try (RedisServer server = RedisServer.builder().adjustableClock().build()) {
				server.shiftClock(OFFSET);
				return server.start().time().isAfter(Instant.now().plus(OFFSET.dividedBy(2)));
			}
			catch (IllegalStateException | ConditionTimeoutException ex) {
				System.out.println("Clocks of Redis servers cannot be set: " + ex.getMessage());
				return false;
			}
		}

	}

}
