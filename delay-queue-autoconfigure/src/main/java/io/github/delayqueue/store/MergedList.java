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
 * than its share of the page and of what is skipped.
 */
final class MergedList {

	private static final int ROOM = 8;

	private static final Comparator<StoredTask> BY_ID = (one, other) -> Arrays
		.compareUnsigned(one.id().getBytes(StandardCharsets.UTF_8), other.id().getBytes(StandardCharsets.UTF_8));

	private final List<String> partitions;

	private final int offset;

	private final int limit;

	private final Pages pages;

	MergedList(List<String> partitions, int offset, int limit, Pages pages) {
		this.partitions = partitions;
		this.offset = offset;
		this.limit = limit;
		this.pages = pages;
	}

	List<StoredTask> read(TaskState state) {
		PriorityQueue<Reader> readers = new PriorityQueue<>(Comparator.comparing(Reader::head, order(state)));
		int share = Math.min((this.offset + this.limit) / this.partitions.size() + ROOM, TaskStore.MAX_BATCH);
		for (String partition : this.partitions) {
			proceed(readers, new Reader(partition, share));
		}
		List<StoredTask> page = new ArrayList<>();
		for (int i = 0; i < this.offset + this.limit && !readers.isEmpty(); i++) {
			Reader first = readers.remove();
			if (i >= this.offset) {
				page.add(first.head());
			}
			proceed(readers, first);
		}
		return page;
	}

	private static Comparator<StoredTask> order(TaskState state) {
		Comparator<StoredTask> byTime = Comparator.comparing(StoredTask::at);
		return ((state == TaskState.SCHEDULED) ? byTime.thenComparing(StoredTask::priority) : byTime)
			.thenComparing(BY_ID);
	}

	private static void proceed(PriorityQueue<Reader> readers, Reader reader) {
		if (reader.next()) {
			readers.add(reader);
		}
	}

	/**
	 * Reads the tasks of one partition.
	 */
	private final class Reader {

		private final String partition;

		private final int share;

		private List<StoredTask> tasks = List.of();

		private Iterator<StoredTask> iterator = this.tasks.iterator();

		private int read;

		private @Nullable StoredTask head;

		Reader(String partition, int share) {
			this.partition = partition;
			this.share = share;
		}

		boolean next() {
			if (!this.iterator.hasNext() && (this.read == 0 || this.tasks.size() == this.share)) {
				this.tasks = MergedList.this.pages.read(this.partition, this.read, this.share);
				this.read += this.tasks.size();
				this.iterator = this.tasks.iterator();
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

	}

	/**
	 * Reads a page of the tasks of one partition.
	 */
	interface Pages {

		List<StoredTask> read(String partition, int offset, int limit);

	}

}
