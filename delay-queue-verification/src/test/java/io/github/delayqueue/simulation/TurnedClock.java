package io.github.delayqueue.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.github.delayqueue.testsupport.CLibrary;

/**
 * The time of day of another process, which stands still until it is turned. Both
 * processes have mapped the file that has it: to turn it costs no call.
 */
final class TurnedClock {

	private static final String LIBRARY = "io/github/delayqueue/simulation/turned_clock.c";

	private final Path file;

	private final MappedByteBuffer micros;

	/**
	 * Create a clock.
	 * @param now what it shows
	 */
	TurnedClock(Instant now) {
		try {
			this.file = Files.createTempFile("delay-queue-clock", "");
			this.file.toFile().deleteOnExit();
			try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
				this.micros = channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.micros.order(ByteOrder.nativeOrder());
		turn(now);
	}

	/** What lets a process go by such a clock; aborts a test where it cannot be had. */
	static Path library() {
		return CLibrary.compile(LIBRARY);
	}

	void turn(Instant now) {
		this.micros.putLong(0, ChronoUnit.MICROS.between(Instant.EPOCH, now));
	}

	/** What a process needs in its environment for this clock. */
	Map<String, String> environment() {
		return Map.of("LD_PRELOAD", library().toString(), "TURNED_CLOCK", this.file.toString());
	}

}
