package io.github.delayqueue;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What of texts from outside gets into lines of the log and into messages.
 */
class NamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r", "\u0000", "\t", "\u001b", "\u007f", "\u0085", "\u009b", "\u061c", "\u200e",
			"\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067",
			"\u2068", "\u2069", "\ud83d", "\udc80" })
	void whatForgesLinesOrTurnsThemAroundBecomesAQuestionMark(String hostile) {
		String text = "a" + hostile + "b";
		assertThat(Names.printableText(text)).isEqualTo("a?b");
		assertThat(Names.printable(text)).isEqualTo("a?b");
		assertThat(Names.printable(List.of(text))).containsExactly("a?b");
		assertThat(Names.printable(new IllegalStateException(text))).isEqualTo("java.lang.IllegalStateException: a?b");
		assertThat(new DelayQueueException("orders", null, text)).hasMessage("a?b");
		assertThat(new StoreUnavailableException("orders", null, text, null)).hasMessage("a?b");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "order-1", "订单 1", "naïve café", "👍🏽👨‍👩‍👧", "שלום", "مرحبا", "e\u0301", "\u00A0" })
	void whatCanBeReadStaysAsItIs(String text) {
		assertThat(Names.printableText(text)).isSameAs(text);
		assertThat(Names.printable(text)).isEqualTo(text);
	}

	@Test
	void onlyIdsThatNoTaskOfOursHasAreShortened() {
		assertThat(Names.printable("x".repeat(256))).hasSize(256);
		assertThat(Names.printable("x".repeat(257))).isEqualTo("x".repeat(140) + "…");
		assertThat(Names.printableText("x".repeat(1000))).hasSize(1000);
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT30S, 30s", "PT1H30M, 1h30m", "PT25H, 1d1h", "PT10.371S, 10s371ms", "PT-0.5S, -500ms" })
	void durationIsPrintedAsPeopleWriteIt(Duration duration, String text) {
		assertThat(Names.printable(duration)).isEqualTo(text);
	}

}
