package io.github.delayqueue.partition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/** Says to which partition a task belongs. Public for tests. */
public final class Partitions {

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
