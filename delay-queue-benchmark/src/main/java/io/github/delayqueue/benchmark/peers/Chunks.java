package io.github.delayqueue.benchmark.peers;

import java.util.ArrayList;
import java.util.List;

/**
 * Parts of a list.
 */
public final class Chunks {

	private Chunks() {
	}

	/**
	 * Cut a list.
	 * @param list the list
	 * @param size most elements of a part
	 * @return the parts, views of the list, in order
	 */
	public static <T> List<List<T>> of(List<T> list, int size) {
		List<List<T>> chunks = new ArrayList<>();
		for (int from = 0; from < list.size(); from += size) {
			chunks.add(list.subList(from, Math.min(from + size, list.size())));
		}
		return chunks;
	}

}
