package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;

/**
 * A page of the tasks of all partitions in one order. Reads little more of each partition
 * than its share of the page and of what is skipped, at most 500 tasks at a time, those
 * that are skipped without their envelopes.
 */
final class MergedList {

	private static final int ROOM = 8;

	private static final Comparator<StoredTask> BY_ID = (one, other) -> Arrays
		.compareUnsigned(one.id().getBytes(StandardCharsets.UTF_8), other.id().getBytes(StandardCharsets.UTF_8));

	private final List<String> partitions;

	private final int offset;

	private final int limit;

	private final Pages skipped;

	private final Pages pages;

	MergedList(List<String> partitions, int offset, int limit, Pages skipped, Pages pages) {
		this.partitions = partitions;
		this.offset = offset;
		this.limit = limit;
		this.skipped = skipped;
		this.pages = pages;
	}

	List<StoredTask> read(TaskState state) {
		List<Reader> skipping = this.partitions.stream().map((name) -> new Reader(name, 0, this.skipped)).toList();
		merge(skipping, this.offset, order(state));
		return merge(skipping.stream().map((reader) -> new Reader(reader.partition, reader.taken, this.pages)).toList(),
				this.limit, order(state));
	}

	/**
	 * Take the first tasks of all readers.
	 * @param readers one of each partition
	 * @param most how many
	 * @param order what comes first
	 * @return the tasks, fewer if there are no more
	 */
	private static List<StoredTask> merge(List<Reader> readers, int most, Comparator<StoredTask> order) {
		PriorityQueue<Reader> queue = new PriorityQueue<>(Comparator.comparing(Reader::head, order));
		int share = Math.min(most / readers.size() + ROOM, TaskStore.MAX_BATCH);
		if (most > 0) {
			readers.stream().filter((reader) -> reader.look(share)).forEach(queue::add);
		}
		List<StoredTask> merged = new ArrayList<>();
		while (merged.size() < most && !queue.isEmpty()) {
			Reader first = queue.remove();
			merged.add(first.take());
			if (merged.size() < most && first.look(share)) {
				queue.add(first);
			}
		}
		return merged;
	}

	private static Comparator<StoredTask> order(TaskState state) {
		Comparator<StoredTask> byTime = Comparator.comparing(StoredTask::at);
		return ((state == TaskState.SCHEDULED) ? byTime.thenComparing(StoredTask::priority) : byTime)
			.thenComparing(BY_ID);
	}

	/**
	 * Reads the tasks of one partition.
	 */
	private static final class Reader {

		private final String partition;

		private final Pages pages;

		private Iterator<StoredTask> iterator = List.<StoredTask>of().iterator();

		private int read;

		private int taken;

		private boolean last;

		private @Nullable StoredTask head;

		Reader(String partition, int offset, Pages pages) {
			this.partition = partition;
			this.read = offset;
			this.taken = offset;
			this.pages = pages;
		}

		boolean look(int share) {
			if (!this.iterator.hasNext() && !this.last) {
				List<StoredTask> tasks = this.pages.read(this.partition, this.read, share);
				this.read += tasks.size();
				this.last = tasks.size() < share;
				this.iterator = tasks.iterator();
			}
			this.head = this.iterator.hasNext() ? this.iterator.next() : null;
			return this.head != null;
		}

		StoredTask head() {
			if (this.head == null) {
				throw new NoSuchElementException();
			}
			return this.head;
		}

		StoredTask take() {
			this.taken++;
			return head();
		}

	}

	/**
	 * Reads a page of the tasks of one partition.
	 */
	interface Pages {

		List<StoredTask> read(String partition, int offset, int limit);

	}

}
