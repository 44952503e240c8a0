package io.github.delayqueue.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.QueueCheck;

/**
 * A {@link QueueCheck} as the endpoint shows it: over the web, what is {@code null} is
 * missing. Public because the endpoint returns it.
 */
public record CheckDescriptor(@Nullable String cursor, long checked, List<Finding> findings,
		Sums sums) implements OperationResponseBody {

	static CheckDescriptor of(QueueCheck check) {
		return new CheckDescriptor(check.cursor(), check.checked(), check.findings().stream().map(Finding::of).toList(),
				Sums.of(check.sums()));
	}

	/** A {@link QueueCheck.Finding}. */
	public record Finding(QueueCheck.Kind kind, String subject, List<String> places, @Nullable String after) {

		static Finding of(QueueCheck.Finding finding) {
			return new Finding(finding.kind(), finding.subject(), finding.places(), finding.after());
		}

	}

	/** The {@link QueueCheck.Sums}, of which {@code difference} has to be zero. */
	public record Sums(long scheduled, long accounted, long difference, long records, long indexed, long orphans) {

		static Sums of(QueueCheck.Sums sums) {
			return new Sums(sums.scheduled(), sums.accounted(), sums.difference(), sums.records(), sums.indexed(),
					sums.orphans());
		}

	}

}
