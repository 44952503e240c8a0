package io.github.delayqueue.faults;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each rule notices a history that breaks it.
 */
@SelfTest
class JournalHistoryCheckTests {

	private final JournalHistory history = new JournalHistory();

	@Test
	void isContentWithWhatIsRight() {
		committed("a");
		add("send 1000 a 2000 true", "sent 1001 a", "begun 2000 a a 2000", "settled 2001 a SUCCESS");
		assertThat(this.history.violations()).isEmpty();
	}

	@Test
	void noticesWhatWasRolledBackAndHandled() {
		add("send 1000 a 2000 false", "begun 2000 a a 2000");
		assertThat(violation()).startsWith("rolled-back: ");
	}

	@Test
	void noticesWhatWasHandledEarly() {
		committed("a");
		add("send 1000 a 2000 true", "begun 1999 a a 2000");
		assertThat(violation()).startsWith("early: ");
	}

	@Test
	void noticesWhatWasHandledAfterItsCancellation() {
		committed("a");
		this.history.cancelled.add("a");
		add("send 1000 a 2000 true", "cancelled 1500 a", "begun 9000 a a 2000");
		assertThat(violation()).startsWith("cancelled: ");
	}

	@Test
	void noticesWhatWasLost() {
		committed("a");
		add("send 1000 a 2000 true", "sent 1001 a");
		assertThat(violation()).startsWith("lost: ");
	}

	@Test
	void noticesWhatWasHandledAgainAfterItsEnd() {
		committed("a");
		add("send 1000 a 2000 true", "begun 2000 a a 2000", "settled 2001 a SUCCESS", "begun 9000 a a 2000");
		assertThat(violation()).startsWith("finished: ");
	}

	@Test
	void isContentWithWhatIsHandledAgainBecauseItWasMovedMeanwhile() {
		committed("a");
		add("send 1000 a 1000 true", "move 1001 a 9000", "begun 1002 a a 1000", "settled 1003 a STALE", "moved 1004 a",
				"begun 9000 a a 9000");
		assertThat(this.history.violations()).isEmpty();
	}

	@Test
	void noticesWhatWasHandledAgainThoughItWasMovedLongBefore() {
		committed("a");
		add("send 1000 a 2000 true", "move 1001 a 3000", "moved 1002 a", "begun 3000 a a 3000",
				"settled 3001 a SUCCESS", "begun 9000 a a 3000");
		assertThat(violation()).startsWith("finished: ");
	}

	@Test
	void noticesWhatWasHandledOnlyBecauseItWasLookedFor() {
		committed("a");
		add("send 1000 a 2000 true", "found 33000 1", "begun 33001 a a 2000");
		assertThat(violation()).startsWith("late: ");
	}

	@Test
	void isContentWithWhatIsFoundAfterTheLastSecondWasLost() {
		committed("a");
		add("send 1000 a 2000 true", "fault 1500 rewound", "undone 1900 rewound", "found 33000 1",
				"begun 33001 a a 2000");
		assertThat(this.history.violations()).isEmpty();
	}

	@Test
	void isContentWithWhatIsLateWithoutHavingBeenLookedFor() {
		committed("a");
		add("send 1000 a 2000 true", "begun 33001 a a 2000");
		assertThat(this.history.violations()).isEmpty();
	}

	@Test
	void noticesWhatIsLeft() {
		this.history.left = 1;
		assertThat(violation()).startsWith("left: ");
	}

	private void committed(String id) {
		this.history.committed.add(id);
	}

	private void add(String... lines) {
		List.of(lines).forEach(this.history::add);
	}

	private String violation() {
		return this.history.violations().get(0);
	}

}
