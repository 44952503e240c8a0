package io.github.delayqueue.partition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.SourceNames;

/** How many partitions a queue has, and to which one a task belongs. */
public final class Partitions {

	/**
	 * How many partitions a queue has, which stays so until it is forgotten: 1 to 256, by
	 * default 1. For {@link QueueOptions.Builder#with}.
	 */
	public static final Option<Integer> COUNT = Option.number("partitions", 1, SourceNames.MAX, 1);

	private Partitions() {
	}

	/**
	 * The partition that a task belongs to: the CRC-32 (that of zlib) of its id in UTF-8,
	 * modulo the number of partitions.
	 * @param names the names of all partitions
	 */
	public static String home(String taskId, List<String> names) {
		if (names.size() == 1) {
			return names.get(0);
		}
		CRC32 crc = new CRC32();
		crc.update(taskId.getBytes(StandardCharsets.UTF_8));
		return names.get((int) (crc.getValue() % names.size()));
	}

}
