package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Finding;
import io.github.delayqueue.QueueCheck.Sums;

/**
 * Goes through the partitions of a queue one after the other, several in one call if they
 * are small. The sums are those of all partitions, each of an instant of its own.
 */
record SpreadCheck(PartitionStore store, List<String> partitions) {

	QueueCheck check(@Nullable String cursor, int limit, byte @Nullable [] failure) {
		if (this.partitions.size() == 1) {
			return this.store.check(this.partitions.get(0), cursor, limit, failure);
		}
		SpreadCursor at = SpreadCursor.of(cursor, this.partitions.size());
		long checked = 0;
		List<Finding> findings = new ArrayList<>();
		@Nullable Sums[] sums = new Sums[this.partitions.size()];
		do {
			QueueCheck page = this.store.check(this.partitions.get(at.number()), at.position(), (int) (limit - checked),
					failure);
			checked += page.checked();
			findings.addAll(page.findings());
			sums[at.number()] = page.sums();
			at = at.after(page.cursor());
		}
		while (at.position() == null && at.number() < sums.length && checked < limit);
		return new QueueCheck(at.text(sums.length), checked, findings, total(sums));
	}

	private Sums total(@Nullable Sums[] sums) {
		return IntStream.range(0, sums.length).mapToObj((i) -> {
			Sums known = sums[i];
			return (known != null) ? known : this.store.check(this.partitions.get(i), null, 1, null).sums();
		}).reduce(new Sums(0, 0, 0, 0, 0), SpreadCheck::add);
	}

	private static Sums add(Sums one, Sums other) {
		return new Sums(one.scheduled() + other.scheduled(), one.accounted() + other.accounted(),
				one.records() + other.records(), one.indexed() + other.indexed(), one.orphans() + other.orphans());
	}

}
