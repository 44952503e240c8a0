package io.github.delayqueue.partition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Predicate;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * A page of the tasks of all partitions in one order. Reads little more of each partition
 * than its share of the page, at most 500 tasks at a time. What is skipped is passed over
 * in blocks: each round looks at the ends of a block of each partition, and at half as
 * many tasks as the one before, so that it costs the same wherever the page is.
 */
record MergedList(TaskStore store, List<String> partitions, TaskState state) {

	private static final int ROOM = 8;

	private static final Comparator<StoredTask> BY_ID = (one, other) -> Arrays
		.compareUnsigned(one.id().getBytes(StandardCharsets.UTF_8), other.id().getBytes(StandardCharsets.UTF_8));

	List<StoredTask> read(int offset, int limit, Contents contents) {
		List<Reader> readers = this.partitions.stream().map(Reader::new).toList();
		int left = offset;
		for (int block = left / readers.size() / 2; block > ROOM; block = left / readers.size() / 2) {
			int tasks = block;
			Queue<Reader> ends = inOrder(readers, (reader) -> reader.lookAhead(tasks));
			// of what ends later, all but the last task of a block may come before
			for (; left >= tasks * readers.size(); left -= tasks) {
				if (ends.isEmpty()) {
					return List.of();
				}
				Reader first = ends.remove();
				first.read += tasks;
				if (first.lookAhead(tasks)) {
					ends.add(first);
				}
			}
		}
		return read(readers, left, limit, contents);
	}

	private List<StoredTask> read(List<Reader> readers, int skipped, int limit, Contents contents) {
		int share = Math.min((skipped + limit) / readers.size() + ROOM, TaskStore.MAX_BATCH);
		readers.forEach((reader) -> reader.page.clear());
		Queue<Reader> queue = inOrder(readers, (reader) -> reader.look(share, contents));
		List<StoredTask> merged = new ArrayList<>();
		while (merged.size() < skipped + limit && !queue.isEmpty()) {
			Reader first = queue.remove();
			merged.add(first.page.remove());
			if (merged.size() < skipped + limit && first.look(share, contents)) {
				queue.add(first);
			}
		}
		return merged.subList(Math.min(skipped, merged.size()), merged.size());
	}

	private Queue<Reader> inOrder(List<Reader> readers, Predicate<Reader> look) {
		Comparator<StoredTask> byTime = Comparator.comparing(StoredTask::at);
		Comparator<StoredTask> order = (this.state == TaskState.SCHEDULED) ? byTime.thenComparing(StoredTask::priority)
				: byTime;
		Queue<Reader> queue = new PriorityQueue<>(
				Comparator.comparing((reader) -> reader.page.element(), order.thenComparing(BY_ID)));
		readers.stream().filter(look).forEach(queue::add);
		return queue;
	}

	/** Reads the tasks of one partition. */
	private final class Reader {

		private final String partition;

		private final Queue<StoredTask> page = new ArrayDeque<>();

		private int read;

		private boolean last;

		Reader(String partition) {
			this.partition = partition;
		}

		boolean look(int share, Contents contents) {
			if (this.page.isEmpty() && !this.last) {
				list(this.read, share, contents);
				this.read += this.page.size();
				this.last = this.page.size() < share;
			}
			return !this.page.isEmpty();
		}

		/** Looks at the last of the next tasks. */
		boolean lookAhead(int tasks) {
			this.page.clear();
			list(this.read + tasks - 1, 1, Contents.NONE);
			return !this.page.isEmpty();
		}

		private void list(int offset, int limit, Contents contents) {
			MergedList list = MergedList.this;
			this.page.addAll(QueueView.of(list.store).list(this.partition, list.state, offset, limit, contents));
		}

	}

}
