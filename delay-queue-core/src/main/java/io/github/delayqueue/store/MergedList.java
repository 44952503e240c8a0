package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

import io.github.delayqueue.TaskState;

/**
 * A page of the tasks of all partitions in one order. Reads little more of each partition
 * than its share of the page, at most 500 tasks at a time.
 */
record MergedList(PartitionStore store, List<String> partitions, TaskState state) {

	private static final int ROOM = 8;

	private static final Comparator<StoredTask> BY_ID = (one, other) -> Arrays
		.compareUnsigned(one.id().getBytes(StandardCharsets.UTF_8), other.id().getBytes(StandardCharsets.UTF_8));

	List<StoredTask> read(int offset, int limit, Contents contents) {
		Comparator<StoredTask> order = order();
		List<Integer> skipped = new MergedOffset(this.store, this.partitions, this.state, order).find(offset);
		PriorityQueue<Reader> queue = new PriorityQueue<>(
				Comparator.comparing((reader) -> reader.page.element(), order));
		int share = Math.min(limit / this.partitions.size() + ROOM, TaskStore.MAX_BATCH);
		for (int i = 0; i < skipped.size(); i++) {
			Reader reader = new Reader(this.partitions.get(i), skipped.get(i));
			if (reader.look(share, contents)) {
				queue.add(reader);
			}
		}
		List<StoredTask> merged = new ArrayList<>();
		while (merged.size() < limit && !queue.isEmpty()) {
			Reader first = queue.remove();
			merged.add(first.page.remove());
			if (merged.size() < limit && first.look(share, contents)) {
				queue.add(first);
			}
		}
		return merged;
	}

	private Comparator<StoredTask> order() {
		Comparator<StoredTask> byTime = Comparator.comparing(StoredTask::at);
		return ((this.state == TaskState.SCHEDULED) ? byTime.thenComparing(StoredTask::priority) : byTime)
			.thenComparing(BY_ID);
	}

	/** Reads the tasks of one partition. */
	private final class Reader {

		private final String partition;

		private final Queue<StoredTask> page = new ArrayDeque<>();

		private int read;

		private boolean last;

		Reader(String partition, int offset) {
			this.partition = partition;
			this.read = offset;
		}

		boolean look(int share, Contents contents) {
			if (this.page.isEmpty() && !this.last) {
				List<StoredTask> tasks = MergedList.this.store.list(this.partition, MergedList.this.state, this.read,
						share, contents);
				this.read += tasks.size();
				this.last = tasks.size() < share;
				this.page.addAll(tasks);
			}
			return !this.page.isEmpty();
		}

	}

}
