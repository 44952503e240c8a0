package io.github.delayqueue.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.stream.IntStream;

import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * For each task of a run how often its handler was started and how often it came to its
 * end, and when it was first started: in a file that is mapped into the memory of all
 * processes that take part, so that it outlives one that is killed. Written without
 * locks.
 */
public final class Ledger implements AutoCloseable {

	private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	/**
	 * Started, ended, early, first start, last start; as long as a line of a processor's
	 * cache, so that threads which handle one task each do not wait for each other here.
	 */
	private static final int ENTRY = 64;

	private static final int ENDED = 4;

	private static final int EARLY = 8;

	private static final int FIRST = 16;

	private static final int LAST = 24;

	private final Path file;

	private final ByteBuffer buffer;

	private final int size;

	private int unfinished;

	private Ledger(Path file, ByteBuffer buffer, int size) {
		this.file = file;
		this.buffer = buffer;
		this.size = size;
	}

	/**
	 * Make an empty one.
	 * @param size number of tasks; those with higher numbers must not be handled at all
	 * @return the ledger
	 */
	public static Ledger create(int size) {
		try {
			Path shared = Path.of("/dev/shm");
			Path file = Files.isWritable(shared) ? Files.createTempFile(shared, "benchmark", ".ledger")
					: Files.createTempFile("benchmark", ".ledger");
			file.toFile().deleteOnExit();
			return open(file, size);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Open that of another process.
	 * @param file its file
	 * @param size number of tasks
	 * @return the ledger
	 */
	public static Ledger open(Path file, int size) {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			// one more, for those that are none of ours
			MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, (size + 1L) * ENTRY);
			// else the first task in each page would wait for the kernel
			buffer.load();
			return new Ledger(file, buffer.order(ByteOrder.nativeOrder()), size);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public Path file() {
		return this.file;
	}

	public int size() {
		return this.size;
	}

	/**
	 * A handler that writes into this ledger.
	 * @param workMillis how long it takes, zero for a no-op
	 * @return the handler
	 */
	public TaskSink sink(long workMillis) {
		return (payload) -> {
			int entry = start(payload);
			if (workMillis > 0) {
				Waits.pause(workMillis);
			}
			INT.getAndAdd(this.buffer, entry + ENDED, 1);
		};
	}

	private int start(Payload payload) {
		long micros = nowMicros();
		int number = payload.number();
		int entry = ((number >= 0 && number < this.size) ? number : this.size) * ENTRY;
		if ((int) INT.getAndAdd(this.buffer, entry, 1) == 0) {
			LONG.setOpaque(this.buffer, entry + FIRST, micros);
		}
		LONG.setOpaque(this.buffer, entry + LAST, micros);
		if (micros < payload.dueAt() * 1000) {
			INT.getAndAdd(this.buffer, entry + EARLY, 1);
		}
		return entry;
	}

	/**
	 * Whether all tasks have been handled to the end. Cheap to ask again and again; by
	 * one thread.
	 * @return whether none is left
	 */
	public boolean isComplete() {
		while (this.unfinished < this.size && ended(this.unfinished) > 0) {
			this.unfinished++;
		}
		return this.unfinished == this.size;
	}

	/**
	 * Whether so many handlers have been started.
	 * @param count number of different tasks
	 * @return whether there are at least so many
	 */
	public boolean hasStarted(int count) {
		int started = 0;
		for (int number = 0; number < this.size && started < count; number++) {
			if ((int) INT.getVolatile(this.buffer, number * ENTRY) > 0) {
				started++;
			}
		}
		return started >= count;
	}

	/**
	 * Which tasks have been started and have not come to an end.
	 * @return their numbers
	 */
	int[] held() {
		return IntStream.range(0, this.size)
			.filter((number) -> startedMicros(number) > 0 && ended(number) == 0)
			.toArray();
	}

	/**
	 * How many tasks have been handled to the end.
	 * @return the number of different tasks
	 */
	public int handled() {
		int handled = 0;
		for (int number = 0; number < this.size; number++) {
			if (ended(number) > 0) {
				handled++;
			}
		}
		return handled;
	}

	/**
	 * What went wrong.
	 * @return the counts
	 */
	public Counts counts() {
		long doubled = 0;
		long early = (int) INT.getVolatile(this.buffer, this.size * ENTRY);
		for (int number = 0; number < this.size; number++) {
			doubled += Math.max(0, (int) INT.getVolatile(this.buffer, number * ENTRY) - 1);
			early += (int) INT.getVolatile(this.buffer, number * ENTRY + EARLY);
		}
		return new Counts(this.size - handled(), doubled, early);
	}

	/**
	 * When the handler of a task was started for the first time.
	 * @param number of the task
	 * @return microseconds since the epoch, zero if it was not
	 */
	public long startedMicros(int number) {
		return (long) LONG.getVolatile(this.buffer, number * ENTRY + FIRST);
	}

	/**
	 * When the handler of a task was started for the last time.
	 * @param number of the task
	 * @return microseconds since the epoch, zero if it was not
	 */
	long lastStartedMicros(int number) {
		return (long) LONG.getVolatile(this.buffer, number * ENTRY + LAST);
	}

	/**
	 * The clock of all entries.
	 * @return microseconds since the epoch
	 */
	static long nowMicros() {
		Instant now = Instant.now();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	/**
	 * When the last of the handlers was started for the first time.
	 * @return microseconds since the epoch
	 */
	public long lastMicros() {
		long last = 0;
		for (int number = 0; number < this.size; number++) {
			last = Math.max(last, startedMicros(number));
		}
		return last;
	}

	/**
	 * How often a task has been handled to the end.
	 * @param number of the task
	 * @return zero if not yet
	 */
	int ended(int number) {
		return (int) INT.getVolatile(this.buffer, number * ENTRY + ENDED);
	}

	@Override
	public void close() {
		try {
			Files.deleteIfExists(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
