package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.List;

/**
 * What the server's clock showed: the machine's clock and an offset that was changed now
 * and then. While it is being changed either offset may be in force.
 */
final class ServerClock {

	private final List<Segment> segments = new ArrayList<>(List.of(new Segment(Long.MIN_VALUE, 0)));

	/**
	 * An offset.
	 *
	 * @param from from when on, by the machine's clock
	 * @param offset the offset
	 */
	private record Segment(long from, long offset) {

		long at(long machine) {
			return machine + this.offset;
		}

	}

	/** When each segment ended. */
	private final List<Long> ends = new ArrayList<>(List.of(Long.MAX_VALUE));

	/**
	 * Add a change, later than all that were added before.
	 * @param begun when it was begun, by the machine's clock
	 * @param done when it was done
	 * @param offset the new offset in milliseconds
	 */
	void changed(long begun, long done, long offset) {
		this.ends.set(this.ends.size() - 1, done);
		this.segments.add(new Segment(begun, offset));
		this.ends.add(Long.MAX_VALUE);
	}

	/** The first segment that has not ended before a time. */
	private int inForce(long machine) {
		int first = 0;
		int end = this.ends.size() - 1;
		while (first < end) {
			int middle = (first + end) / 2;
			if (this.ends.get(middle) < machine) {
				first = middle + 1;
			}
			else {
				end = middle;
			}
		}
		return first;
	}

	/**
	 * The largest time that the server can have seen.
	 * @param from beginning of a span, by the machine's clock
	 * @param to end of the span
	 * @return the time in milliseconds
	 */
	long latest(long from, long to) {
		long latest = Long.MIN_VALUE;
		for (int i = inForce(from); i < this.segments.size() && this.segments.get(i).from() <= to; i++) {
			latest = Math.max(latest, this.segments.get(i).at(Math.min(to, this.ends.get(i))));
		}
		return latest;
	}

	/**
	 * The smallest time that the server can have seen.
	 * @param from beginning of a span, by the machine's clock
	 * @param to end of the span
	 * @return the time in milliseconds
	 */
	long earliest(long from, long to) {
		long earliest = Long.MAX_VALUE;
		for (int i = inForce(from); i < this.segments.size() && this.segments.get(i).from() <= to; i++) {
			Segment segment = this.segments.get(i);
			earliest = Math.min(earliest, segment.at(Math.max(from, segment.from())));
		}
		return earliest;
	}

	/**
	 * When the server last came to see a time.
	 * @param time the time in milliseconds
	 * @param until by when, by the machine's clock
	 * @return when that was, by the machine's clock
	 */
	long reached(long time, long until) {
		long reached = until;
		int last = inForce(until);
		while (last + 1 < this.segments.size() && this.segments.get(last + 1).from() <= until) {
			last++;
		}
		for (int i = last; i >= 0; i--) {
			Segment segment = this.segments.get(i);
			long end = Math.min(until, this.ends.get(i));
			if (segment.at(end) < time) {
				break;
			}
			if (segment.at(segment.from()) <= time) {
				return time - segment.offset();
			}
			reached = segment.from();
		}
		return reached;
	}

}
