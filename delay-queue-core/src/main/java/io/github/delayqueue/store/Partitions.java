package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;

/**
 * The names of the partitions of a queue, and the one to which a task belongs. The first
 * partition has the name of the queue, so that a queue with a single one is nothing
 * special; the others add a number to it by a character that no queue's name contains.
 */
public final class Partitions {

	/** Most partitions that a queue can have. */
	public static final int MAX = 256;

	private static final char SEPARATOR = '#';

	private static final Pattern DIGITS = Pattern.compile("\\d{1,3}");

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");

	private Partitions() {
	}

	/**
	 * The name of a partition.
	 * @param partition its number, from zero
	 */
	public static String name(String queue, int partition) {
		return (partition == 0) ? queue : queue + SEPARATOR + partition;
	}

	/**
	 * The names of all partitions of a queue.
	 * @return the names, that of the queue first
	 */
	public static List<String> names(String queue, int count) {
		return (count == 1) ? List.of(queue)
				: IntStream.range(0, count).mapToObj((partition) -> name(queue, partition)).toList();
	}

	/**
	 * The partition that a task belongs to: the CRC-32 (that of zlib) of its id in UTF-8,
	 * modulo the number of partitions.
	 * @param count how many partitions there are
	 * @return the number of the partition, from zero
	 */
	public static int home(String taskId, int count) {
		if (count == 1) {
			return 0;
		}
		CRC32 crc = new CRC32();
		crc.update(taskId.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % count);
	}

	/**
	 * The partition that a task belongs to.
	 * @param names the names of all partitions
	 */
	public static String home(String taskId, List<String> names) {
		return names.get(home(taskId, names.size()));
	}

	/**
	 * How many partitions there are by what one of them knows.
	 * @param known what {@link PartitionStore#learn} returns
	 * @return the number, 1 if that is none
	 */
	public static int count(String known) {
		return number(known, 0).orElse(1);
	}

	/**
	 * How many there were at most before the number was raised.
	 * @return the number, zero if it was not
	 */
	static int earlier(String known) {
		return number(known, 1).orElse(0);
	}

	private static OptionalInt number(String known, int index) {
		return DIGITS.matcher(known)
			.results()
			.mapToInt((digits) -> Integer.parseInt(digits.group()))
			.filter((number) -> number >= 1 && number <= MAX)
			.skip(index)
			.findFirst();
	}

	/** The queue that a partition belongs to. */
	public static String queue(String partition) {
		int separator = partition.indexOf(SEPARATOR);
		return (separator < 0) ? partition : partition.substring(0, separator);
	}

	/**
	 * The number of a partition.
	 * @return the number, from zero
	 */
	static int number(String partition) {
		int separator = partition.indexOf(SEPARATOR);
		return (separator < 0) ? 0 : Integer.parseInt(partition.substring(separator + 1));
	}

	/**
	 * Check the name of a partition.
	 * @param partition the name
	 * @throws DelayQueueException if it is neither the name of a queue nor one with the
	 * number of a partition
	 */
	public static String requireName(@Nullable String partition) {
		int separator = (partition != null) ? partition.indexOf(SEPARATOR) : -1;
		if (partition == null || separator < 0 || !NUMBER.matcher(partition.substring(separator + 1)).matches()) {
			return Names.requireQueue(partition);
		}
		Names.requireQueue(partition.substring(0, separator));
		return partition;
	}

}
