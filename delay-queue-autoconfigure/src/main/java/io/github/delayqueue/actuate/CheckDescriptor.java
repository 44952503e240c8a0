package io.github.delayqueue.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.QueueCheck;

/**
 * The findings of a check or a repair, as the endpoint shows them. Public because the
 * endpoint returns it.
 *
 * @param cursor where to go on, {@code null} (over the web: missing) if everything has
 * been looked at
 * @param checked how many entries were looked at
 * @param findings what is wrong; of a repair, what was
 * @param sums figures that have to agree
 */
public record CheckDescriptor(@Nullable String cursor, long checked, List<Finding> findings,
		Sums sums) implements OperationResponseBody {

	static CheckDescriptor of(QueueCheck check) {
		return new CheckDescriptor(check.cursor(), check.checked(), check.findings().stream().map(Finding::of).toList(),
				Sums.of(check.sums()));
	}

	/**
	 * Something that is wrong.
	 *
	 * @param kind what
	 * @param subject id of the task, key, or total
	 * @param places the indexes that the id is in
	 * @param after the index that a repair has left it in, {@code null} (over the web:
	 * missing) otherwise
	 */
	public record Finding(QueueCheck.Kind kind, String subject, List<String> places, @Nullable String after) {

		static Finding of(QueueCheck.Finding finding) {
			return new Finding(finding.kind(), finding.subject(), finding.places(), finding.after());
		}

	}

	/**
	 * Figures that have to agree: {@code difference} is zero, and {@code records} plus
	 * {@code orphans} is {@code indexed}.
	 *
	 * @param scheduled tasks ever accepted
	 * @param accounted tasks scheduled, in flight and dead now, plus those completed,
	 * cancelled, replaced, cleared and purged
	 * @param difference the first less the second
	 * @param records tasks that have a record
	 * @param indexed entries of all indexes
	 * @param orphans dead ids without a record
	 */
	public record Sums(long scheduled, long accounted, long difference, long records, long indexed, long orphans) {

		static Sums of(QueueCheck.Sums sums) {
			return new Sums(sums.scheduled(), sums.accounted(), sums.difference(), sums.records(), sums.indexed(),
					sums.orphans());
		}

	}

}
