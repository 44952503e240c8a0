package io.github.delayqueue.store;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many partitions a queue has, and how many it had earlier, as far as tasks may still
 * be where they were at home then. Counts are only ever added, so that any two of these
 * can be {@linkplain #with(PartitionCounts) united} in any order. Immutable.
 */
public final class PartitionCounts {

	/** A queue that has never had more than one partition. */
	public static final PartitionCounts ONE = new PartitionCounts(Stream.of(1));

	/** Of a caller who does not want what he believes in to be checked. */
	public static final PartitionCounts UNCHECKED = new PartitionCounts(Stream.of());

	private static final Pattern NUMBER = Pattern.compile("\\d{1,3}");

	/** Largest first: the present one, then the earlier ones. */
	private final List<Integer> counts;

	private final String text;

	private PartitionCounts(Stream<Integer> counts) {
		this.counts = counts.distinct().sorted(Comparator.reverseOrder()).toList();
		this.text = this.counts.stream().map(String::valueOf).collect(Collectors.joining(","));
	}

	/** A queue that has had this many partitions from the beginning. */
	public static PartitionCounts of(int count) {
		return (count == 1) ? ONE : new PartitionCounts(Stream.of(count));
	}

	/**
	 * Read what {@link #text()} wrote. Text that is no number of partitions is ignored.
	 * @return the counts, {@link #UNCHECKED} if there is none in the text
	 */
	public static PartitionCounts parse(String text) {
		return new PartitionCounts(NUMBER.matcher(text)
			.results()
			.map((number) -> Integer.valueOf(number.group()))
			.filter((count) -> count >= 1 && count <= Partitions.MAX));
	}

	/**
	 * How many partitions there are.
	 * @return the largest count
	 */
	public int count() {
		return this.counts.isEmpty() ? 1 : this.counts.get(0);
	}

	/** The number of the partition that a task is at home in. */
	int home(String taskId) {
		return Partitions.home(taskId, count());
	}

	/**
	 * The partitions, other than the one it is at home in, where a task may still be from
	 * earlier.
	 * @return their numbers, those of the latest count first
	 */
	public List<Integer> earlierHomes(String taskId) {
		int home = home(taskId);
		return this.counts.stream()
			.map((count) -> Partitions.home(taskId, count))
			.filter((earlier) -> earlier != home)
			.distinct()
			.toList();
	}

	/**
	 * These counts and others. {@link #ONE} adds nothing: it is what is believed of a
	 * queue that nothing is known of.
	 * @return all of them
	 */
	public PartitionCounts with(PartitionCounts others) {
		if (equals(ONE) || equals(UNCHECKED)) {
			return others.equals(UNCHECKED) ? this : others;
		}
		return others.equals(ONE) ? this : union(others);
	}

	/**
	 * These counts, of a queue that has tasks from a time when it had a single partition.
	 * @return these and one
	 */
	public PartitionCounts afterOne() {
		return union(ONE);
	}

	private PartitionCounts union(PartitionCounts others) {
		return new PartitionCounts(Stream.concat(this.counts.stream(), others.counts.stream()));
	}

	/**
	 * The counts as they are kept in the store: the present one first, then the earlier
	 * ones, separated by commas.
	 * @return the text, empty for {@link #UNCHECKED}
	 */
	public String text() {
		return this.text;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof PartitionCounts counts && this.text.equals(counts.text);
	}

	@Override
	public int hashCode() {
		return this.text.hashCode();
	}

	@Override
	public String toString() {
		return this.text;
	}

}
