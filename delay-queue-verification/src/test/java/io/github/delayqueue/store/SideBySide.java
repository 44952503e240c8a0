package io.github.delayqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * Two stores that live through the same history under one clock. After each operation
 * they must have given the same answer, hold the same state, have published the same wake
 * messages, and keep the invariant.
 */
final class SideBySide {

	private static final Duration DAY = Duration.ofDays(1);

	/** Most lines that a difference has of each store. */
	private static final int SHOWN = 20;

	private final HistorySubject model;

	private final HistorySubject candidate;

	private final MutableClock clock;

	private final int groups;

	private SourceStore modelStore;

	private SourceStore candidateStore;

	private QueueImage image;

	private Object answer = "";

	private FlowInvariant flow = new FlowInvariant();

	SideBySide(HistorySubject model, HistorySubject candidate, MutableClock clock, int groups) {
		this.model = model;
		this.candidate = candidate;
		this.clock = clock;
		this.groups = groups;
		this.modelStore = model.begin();
		this.candidateStore = candidate.begin();
		this.image = model.look();
	}

	/** Begin another history, with nothing. */
	void begin() {
		this.clock.set(TaskStoreFixture.START);
		this.modelStore = this.model.begin();
		this.candidateStore = this.candidate.begin();
		this.image = this.model.look();
		this.candidate.look();
		this.flow = new FlowInvariant();
	}

	/**
	 * Have both do an operation.
	 * @param operation the operation
	 * @return where they differ, {@code null} if nowhere
	 */
	@Nullable String perform(HistoryOperation operation) {
		return performed(this.groups > 0 ? GroupedOperations.of(operation, this.groups) : operation);
	}

	private @Nullable String performed(HistoryOperation operation) {
		if (operation instanceof HistoryOperation.Clock turn) {
			this.clock.advance(turn.by());
			this.answer = "";
			return null;
		}
		Object actual = answer(operation, this.candidateStore, this.candidate.queue());
		this.model.hear(actual);
		this.answer = answer(operation, this.modelStore, this.model.queue());
		try {
			List<String> differences = new ArrayList<>();
			addDifference(differences, "answer", comparable(operation, this.answer), comparable(operation, actual));
			QueueImage expectedImage = this.model.look();
			QueueImage actualImage = this.candidate.look();
			if (!expectedImage.equals(actualImage)) {
				differences.add("different state (- expected, + actual):");
				differences.addAll(differences(expectedImage.lines(), actualImage.lines()));
			}
			if (operation instanceof HistoryOperation.Claim claim && actual instanceof ClaimResult result) {
				this.flow.claimed(FlowLimits.of(claim.request().terms().parts()), result, this.image);
			}
			this.image = expectedImage;
			if (this.groups == 0) {
				addDifference(differences, "wake messages", atMostADay(this.model.wakes()),
						atMostADay(this.candidate.wakes()));
			}
			TotalsIdentity.check(expectedImage);
			return differences.isEmpty() ? null : String.join(System.lineSeparator(), differences);
		}
		catch (AssertionError ex) {
			return "the invariant is violated:" + System.lineSeparator() + ex.getMessage();
		}
	}

	/**
	 * End the history.
	 * @return what is wrong now, {@code null} if nothing
	 */
	@Nullable String end() {
		try {
			this.model.end();
			this.candidate.end();
			return null;
		}
		catch (AssertionError ex) {
			return ex.getMessage();
		}
	}

	private Object comparable(HistoryOperation operation, Object answer) {
		return this.groups > 0 ? GroupedOperations.comparable(operation, answer, this.answer) : answer;
	}

	private static Object answer(HistoryOperation operation, SourceStore store, String queue) {
		try {
			return operation.applyTo(store, queue);
		}
		catch (OtherSourcesException ex) {
			return "throws OtherSourcesException";
		}
		catch (IllegalArgumentException ex) {
			return "throws IllegalArgumentException";
		}
		catch (RuntimeException | AssertionError ex) {
			return "throws " + ex;
		}
	}

	private static void addDifference(List<String> differences, String what, Object expected, Object actual) {
		String expectedText = ValueText.of(expected);
		String actualText = ValueText.of(actual);
		if (!actualText.equals(expectedText)) {
			differences.add("different " + what + " (- expected, + actual):");
			differences.addAll(differences(lines(expectedText), lines(actualText)));
		}
	}

	/** Short texts are shown as one line, of long ones only what differs. */
	private static List<String> lines(String text) {
		List<String> lines = text.lines().toList();
		return (lines.size() < SHOWN) ? List.of(String.join(" ", lines)) : lines;
	}

	/** The lines that only one of two texts has. */
	private static List<String> differences(List<String> expected, List<String> actual) {
		Stream<String> missing = expected.stream().filter((line) -> !actual.contains(line)).map("- "::concat);
		Stream<String> added = actual.stream().filter((line) -> !expected.contains(line)).map("+ "::concat);
		List<String> differences = Stream.concat(missing.limit(SHOWN), added.limit(SHOWN)).toList();
		return differences.isEmpty() ? List.of("the same in another order:", "- " + expected, "+ " + actual)
				: differences;
	}

	/**
	 * As claims answer: what lies further ahead is known to the microsecond only roughly.
	 */
	private static List<Duration> atMostADay(List<Duration> wakes) {
		return wakes.stream().map((in) -> (in.compareTo(DAY) > 0) ? DAY : in).toList();
	}

	MutableClock clock() {
		return this.clock;
	}

	/**
	 * What the model answered last.
	 * @return the answer, a text if it threw
	 */
	Object answer() {
		return this.answer;
	}

}
