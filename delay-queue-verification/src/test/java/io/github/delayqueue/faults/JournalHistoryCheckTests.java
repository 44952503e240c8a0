package io.github.delayqueue.faults;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each rule notices a history that breaks it.
 */
@SelfTest
class JournalHistoryCheckTests {

	private final JournalHistory history = new JournalHistory();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			early     | begun 1999 a a 2000
			lost      | sent 1001 a
			finished  | begun 2000 a a 2000;settled 2001 a SUCCESS;begun 9000 a a 2000
			late      | found 33000 1;begun 33001 a a 2000
			          | sent 1001 a;begun 2000 a a 2000;settled 2001 a SUCCESS
			          | begun 33001 a a 2000
			          | fault 1500 rewound;undone 1900 rewound;found 33000 1;begun 33001 a a 2000
			          | halting 1500 before-hand-over b a;found 33000 1;begun 33001 a a 2000
			          | move 1001 a 9000;begun 2002 a a 2000;settled 2003 a STALE;moved 2004 a;begun 9000 a a 9000
			""")
	void noticesWhatIsWrongWithACommittedTask(String rule, String lines) {
		this.history.committed.add("a");
		add("send 1000 a 2000 true");
		add(lines.split(";"));
		assertViolation(rule);
	}

	@Test
	void noticesWhatWasRolledBackAndHandled() {
		add("send 1000 a 2000 false", "begun 2000 a a 2000");
		assertViolation("rolled-back");
	}

	@Test
	void noticesWhatWasHandledAfterItsCancellation() {
		this.history.committed.add("a");
		this.history.cancelled.add("a");
		add("send 1000 a 2000 true", "cancelled 1500 a", "begun 9000 a a 2000");
		assertViolation("cancelled");
	}

	@Test
	void noticesWhatIsLeft() {
		this.history.left = 1;
		assertViolation("left");
	}

	private void add(String... lines) {
		List.of(lines).forEach(this.history::add);
	}

	private void assertViolation(String rule) {
		if (rule == null) {
			assertThat(this.history.violations()).isEmpty();
		}
		else {
			assertThat(this.history.violations()).singleElement().asString().startsWith(rule + ": ");
		}
	}

}
