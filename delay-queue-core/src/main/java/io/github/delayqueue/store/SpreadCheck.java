package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Finding;
import io.github.delayqueue.QueueCheck.Sums;

/**
 * Goes through the partitions of a queue one after the other, several in one call if they
 * are small. The sums are those of all partitions, each of an instant of its own. Cursors
 * of the first one are those of the store, the others have the number of the partition
 * before them.
 */
record SpreadCheck(PartitionStore store, List<String> partitions) {

	private static final Pattern CURSOR = Pattern.compile("([1-9][0-9]{0,2})/(.*)", Pattern.DOTALL);

	QueueCheck check(@Nullable String cursor, int limit, byte @Nullable [] failure) {
		if (this.partitions.size() == 1) {
			return this.store.check(this.partitions.get(0), cursor, limit, failure);
		}
		int number = 0;
		String position = cursor;
		Matcher matcher = CURSOR.matcher((cursor != null) ? cursor : "");
		if (matcher.matches()) {
			number = Integer.parseInt(matcher.group(1));
			position = matcher.group(2).isEmpty() ? null : matcher.group(2);
		}
		if (number >= this.partitions.size()) {
			throw new IllegalArgumentException("The cursor is not one that a check has returned");
		}
		long checked = 0;
		List<Finding> findings = new ArrayList<>();
		@Nullable Sums[] sums = new Sums[this.partitions.size()];
		do {
			QueueCheck page = this.store.check(this.partitions.get(number), position, (int) (limit - checked), failure);
			checked += page.checked();
			findings.addAll(page.findings());
			sums[number] = page.sums();
			position = page.cursor();
			number += (position == null) ? 1 : 0;
		}
		while (position == null && number < sums.length && checked < limit);
		return new QueueCheck(cursor(number, position), checked, findings, total(sums));
	}

	private @Nullable String cursor(int number, @Nullable String position) {
		if (number == this.partitions.size()) {
			return null;
		}
		return (number == 0) ? position : number + "/" + ((position != null) ? position : "");
	}

	private Sums total(@Nullable Sums[] sums) {
		Sums total = new Sums(0, 0, 0, 0, 0);
		for (int i = 0; i < sums.length; i++) {
			Sums known = sums[i];
			total = add(total,
					(known != null) ? known : this.store.check(this.partitions.get(i), null, 1, null).sums());
		}
		return total;
	}

	private static Sums add(Sums one, Sums other) {
		return new Sums(one.scheduled() + other.scheduled(), one.accounted() + other.accounted(),
				one.records() + other.records(), one.indexed() + other.indexed(), one.orphans() + other.orphans());
	}

}
