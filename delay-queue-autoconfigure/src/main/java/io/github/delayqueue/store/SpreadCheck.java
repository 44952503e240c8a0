package io.github.delayqueue.store;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Sums;

/**
 * Goes through the partitions of a queue one after the other. Cursors of the first one
 * are those of the store, the others have the number of the partition before them.
 *
 * @param store keeps the partitions
 * @param partitions their names
 */
record SpreadCheck(PartitionStore store, List<String> partitions) {

	private static final Pattern CURSOR = Pattern.compile("([1-9][0-9]{0,2})/(.*)", Pattern.DOTALL);

	QueueCheck check(@Nullable String cursor, int limit, Step step) {
		if (this.partitions.size() == 1) {
			return step.take(this.partitions.get(0), cursor, limit);
		}
		int number = 0;
		String position = cursor;
		Matcher matcher = CURSOR.matcher((cursor != null) ? cursor : "");
		if (matcher.matches()) {
			number = Integer.parseInt(matcher.group(1));
			position = matcher.group(2).isEmpty() ? null : matcher.group(2);
		}
		if (number >= this.partitions.size()) {
			throw new IllegalArgumentException("The cursor is not one that a check has answered");
		}
		QueueCheck page = step.take(this.partitions.get(number), position, limit);
		Sums sums = page.sums();
		for (int i = 0; i < this.partitions.size(); i++) {
			if (i != number) {
				sums = add(sums, this.store.check(this.partitions.get(i), null, 1).sums());
			}
		}
		return new QueueCheck(next(number, page.cursor()), page.checked(), page.findings(), sums);
	}

	private @Nullable String next(int number, @Nullable String cursor) {
		if (cursor == null) {
			return (number + 1 < this.partitions.size()) ? (number + 1) + "/" : null;
		}
		return (number == 0) ? cursor : number + "/" + cursor;
	}

	private static Sums add(Sums one, Sums other) {
		return new Sums(one.scheduled() + other.scheduled(), one.accounted() + other.accounted(),
				one.records() + other.records(), one.indexed() + other.indexed(), one.orphans() + other.orphans());
	}

	/**
	 * Looks at a part of one partition.
	 */
	interface Step {

		QueueCheck take(String partition, @Nullable String cursor, int limit);

	}

}
