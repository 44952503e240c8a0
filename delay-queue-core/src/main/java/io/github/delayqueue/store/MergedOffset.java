package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * Finds how many tasks of each partition are among the first ones of all: looks at single
 * tasks, each the end of a block, and skips the blocks that end before all that could be
 * too many. A few rounds, each of which leaves about an eighth, at worst a half, to the
 * next.
 */
final class MergedOffset {

	private static final int PARTS = 8;

	private final PartitionStore store;

	private final TaskState state;

	private final List<List<Index>> partitions;

	private final PriorityQueue<Index> queue;

	MergedOffset(PartitionStore store, List<String> names, TaskState state, Comparator<StoredTask> order) {
		this.store = store;
		this.state = state;
		int indexes = (state == TaskState.SCHEDULED) ? TaskPriority.values().length : 1;
		this.partitions = names.stream()
			.map((name) -> Stream.generate(() -> new Index(name)).limit(indexes).toList())
			.toList();
		this.queue = new PriorityQueue<>(Comparator.comparing(Index::end, order));
	}

	/** How many to skip of each partition where so many are to be skipped of all. */
	List<Integer> find(int offset) {
		int left = offset;
		int known = this.partitions.size() * this.partitions.get(0).size();
		while (left > 0) {
			List<Integer> places = places(left, known);
			this.partitions.forEach((indexes) -> look(indexes, places));
			int open = this.queue.size();
			int skipped = skip(left);
			if (skipped == 0 && open <= known) {
				break;
			}
			left -= skipped;
			known = Math.max(1, open);
		}
		return this.partitions.stream()
			.map((indexes) -> indexes.stream().mapToInt((index) -> index.skipped).sum())
			.toList();
	}

	/** Close to each other up to a few times the share of an index, if all have alike. */
	private static List<Integer> places(int left, int indexes) {
		int share = left / indexes;
		List<Integer> places = new ArrayList<>();
		for (int place = 0; place < left;) {
			int block = (place < 4L * share) ? Math.max(share, place) / PARTS : place;
			place += Math.min(left - place, Math.max(1, block));
			places.add(place);
		}
		return places;
	}

	private void look(List<Index> indexes, List<Integer> places) {
		List<IndexPlaces> found = this.store.places(indexes.get(0).partition, this.state,
				indexes.stream().map((index) -> index.skipped).toList(), places);
		for (int i = 0; i < indexes.size(); i++) {
			if (indexes.get(i).begin(found.get(i), places)) {
				this.queue.add(indexes.get(i));
			}
		}
	}

	private int skip(int most) {
		int skipped = 0;
		// of what ends later, all but the last task of a block may come before
		int perhaps = this.queue.stream().mapToInt((index) -> index.block() - 1).sum();
		while (!this.queue.isEmpty() && skipped + perhaps + 1 <= most) {
			Index first = this.queue.remove();
			skipped += first.block();
			perhaps -= first.block() - 1;
			if (first.next()) {
				this.queue.add(first);
				perhaps += first.block() - 1;
			}
		}
		this.queue.clear();
		return skipped;
	}

	/** One index of a partition, at one of its blocks. */
	private static final class Index {

		private final String partition;

		private int skipped;

		private int begin;

		private int at;

		private IndexPlaces found = new IndexPlaces(0, List.of());

		private List<Integer> places = List.of();

		private Index(String partition) {
			this.partition = partition;
		}

		boolean begin(IndexPlaces found, List<Integer> places) {
			this.found = found;
			this.places = places;
			this.begin = 0;
			this.at = 0;
			return !found.tasks().isEmpty();
		}

		StoredTask end() {
			return this.found.tasks().get(this.at);
		}

		int block() {
			return Math.min(this.places.get(this.at), this.found.size()) - this.begin;
		}

		boolean next() {
			this.skipped += block();
			this.begin += block();
			this.at++;
			return this.at < this.found.tasks().size();
		}

	}

}
