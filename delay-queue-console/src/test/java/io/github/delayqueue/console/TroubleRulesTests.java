package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.console.Trouble.Level;
import io.github.delayqueue.fleet.Consumers.Last;
import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.roles.History;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link TroubleRules}.
 */
class TroubleRulesTests {

	private static final Instant NEXT = Instant.parse("2026-01-01T09:00:00Z");

	private final TroubleRules rules = new TroubleRules(null, Duration.ofSeconds(1));

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					# paused | due  | oldest  | consumers | died | lost | for     | retrying | within 1 h | troubles
					false    | 0    | PT0S    | 0         | 0    | 0    | PT0S    | 0        | 0          |
					false    | 7    | PT30S   | 1         | 9    | 2    | PT10S   | 49       | 0          |
					false    | 7    | PT30S   | -         | 9    | 2    | PT10S   | 49       | 0          |
					false    | 1    | PT0S    | 0         | 0    | 0    | PT0S    | 0        | 0          | DANGER no-consumer
					false    | 7    | PT1H    | 0         | 0    | 0    | PT0S    | 0        | 0          | DANGER no-consumer
					false    | 7    | PT30.1S | 1         | 0    | 0    | PT0S    | 0        | 0          | WARNING behind
					false    | 7    | PT30.1S | -         | 0    | 0    | PT0S    | 0        | 0          | WARNING behind
					false    | 0    | PT0S    | 1         | 10   | 0    | PT0S    | 0        | 0          | DANGER dying
					false    | 0    | PT0S    | 1         | 0    | 1    | PT10.1S | 0        | 0          | DANGER leases-lost
					true     | 0    | PT0S    | 1         | 0    | 1    | PT1H    | 0        | 9          |
					true     | 1    | PT0S    | 1         | 0    | 0    | PT0S    | 0        | 0          | WARNING paused
					true     | 7    | PT1H    | 0         | 0    | 3    | PT1H    | 0        | 0          | WARNING paused
					false    | 10   | PT1S    | 1         | 0    | 0    | PT0S    | 50       | 489        | WARNING retrying
					false    | 10   | PT1S    | 1         | 0    | 0    | PT0S    | 50       | 490        |
					false    | 0    | PT0S    | 0         | 0    | 0    | PT0S    | 0        | 9          | NOTE unconsumed
					false    | 0    | PT0S    | -         | 0    | 0    | PT0S    | 0        | 9          |
					false    | 90   | PT1H    | 0         | 10   | 3    | PT1H    | 99       | 9          | DANGER no-consumer, DANGER dying, DANGER leases-lost, WARNING retrying
					""")
	void figuresAreJudged(boolean paused, long due, Duration oldest, @Nullable Integer consumers, long died, long lost,
			Duration lostFor, long retrying, long withinAnHour, @Nullable String troubles) {
		QueueStats stats = stats(due, lost, retrying, died, oldest, paused, withinAnHour, lostFor);
		assertThat(this.rules.judge(stats, consumers, null, List.of(), () -> History.NONE)
			.stream()
			.map((trouble) -> trouble.level() + " " + trouble.code())
			.toList()).isEqualTo((troubles != null) ? List.of(troubles.split(", ")) : List.of());
	}

	@Test
	void limitsAreThoseOfHealthAndOfThePollInterval() {
		QueueStats stats = stats(7, 1, 0, 0, Duration.ofSeconds(61), false, 0, Duration.ofSeconds(61));
		assertThat(codes(new TroubleRules(Duration.ofSeconds(60), Duration.ofSeconds(1)), stats))
			.containsExactly("leases-lost", "behind");
		assertThat(codes(new TroubleRules(Duration.ofSeconds(61), Duration.ofSeconds(20)), stats))
			.containsExactly("leases-lost");
		assertThat(codes(new TroubleRules(null, Duration.ofMinutes(1)), stats)).isEmpty();
	}

	@Test
	void sentencesSayTheirFigures() {
		QueueStats stats = stats(1204, 3, 1902, 318, Duration.ofSeconds(398), false, 0, Duration.ofHours(51));
		assertThat(this.rules.judge(stats, 0, null, List.of(), () -> died(168, 12))).extracting(Trouble::sentence)
			.containsExactly("No instance consumes it: 1,204 due, the oldest for 6 min 38 s.",
					"318 died in the last hour (usually 12).",
					"Leases lost by 3 of 5 in flight, the oldest 2 d 3 h ago, and nobody takes them over.",
					"1,902 waiting for another attempt, 1,204 due now or within the hour.");
		assertThat(this.rules.judge(stats(0, 0, 0, 0, Duration.ZERO, false, 2, Duration.ZERO), 0, null, List.of(),
				() -> History.NONE))
			.extracting(Trouble::sentence, Trouble::values)
			.containsExactly(tuple("No instance consumes it yet: 2 waiting, the first due at 2026-01-01T09:00:00Z.",
					List.of(2L, NEXT)));
		assertThat(this.rules.judge(stats(2, 0, 0, 0, Duration.ofMinutes(192), true, 2, Duration.ZERO), 0, null,
				List.of(), () -> History.NONE))
			.extracting(Trouble::sentence)
			.containsExactly("Paused: 2 due meanwhile, the oldest for 3 h 12 min.");
		assertThat(TroubleRules.unreadable("It's a {list}").sentence())
			.isEqualTo("Its figures cannot be read: It's a {list}.");
	}

	@Test
	void queueThatNobodyConsumesSaysWhoDidLast() {
		QueueStats stats = stats(2, 0, 0, 0, Duration.ofSeconds(9), false, 0, Duration.ZERO);
		assertThat(this.rules.judge(stats, 0, last(Last.End.SHUTDOWN), List.of(), () -> History.NONE))
			.extracting(Trouble::sentence, Trouble::values)
			.containsExactly(tuple(
					"No instance consumes it: 2 due, the oldest for 9 s. The last consumer, host-3, was shut down at "
							+ "2026-01-01T09:00:00Z.",
					List.of(2L, Duration.ofSeconds(9), "shutdown", "host-3", NEXT)));
		assertThat(this.rules.judge(stats, 0, last(Last.End.STOPPED), List.of(), () -> History.NONE).get(0).sentence())
			.endsWith(" The last consumer, host-3, was stopped at 2026-01-01T09:00:00Z.");
		assertThat(this.rules.judge(stats, 0, last(Last.End.SILENT), List.of(), () -> History.NONE).get(0).sentence())
			.endsWith(" The last consumer, host-3, was last heard of at 2026-01-01T09:00:00Z.");
		assertThat(this.rules.judge(stats, 1, last(Last.End.SILENT), List.of(), () -> History.NONE)).isEmpty();
	}

	private static Last last(Last.End end) {
		return new Last("host-3", NEXT.plusMillis(27), end);
	}

	@ParameterizedTest
	@CsvSource({ "10, 168, 2, false", "11, 168, 2, true", "16, 168, 3, true", "15, 168, 3, false", "9, 168, 0, false",
			"10, 84, 99, true", "495, 85, 99, false", "496, 85, 99, true", "10, 0, 0, true" })
	void tasksDieIfMoreThanUsuallyDo(long died, int hours, long usual, boolean dying) {
		QueueStats stats = stats(0, 0, 0, died, Duration.ZERO, false, 0, Duration.ZERO);
		assertThat(this.rules.judge(stats, 1, null, List.of(), () -> died(hours, usual))).hasSize(dying ? 1 : 0);
	}

	@Test
	void historyIsReadOnlyWhereManyHaveDiedAndMayBeOutOfReach() {
		Supplier<History> unread = () -> {
			throw new DelayQueueException("q", null, "Redis is gone");
		};
		assertThat(this.rules.judge(stats(0, 0, 0, 10, Duration.ZERO, false, 0, Duration.ZERO), 1, null, List.of(),
				unread))
			.extracting(Trouble::values)
			.containsExactly(List.of(10L, 400L, 0L));
		assertThat(
				this.rules.judge(stats(0, 0, 0, 9, Duration.ZERO, false, 0, Duration.ZERO), 1, null, List.of(), () -> {
					throw new IllegalStateException("It is not asked for");
				}))
			.isEmpty();
	}

	/** So many hours, and the present one, in which none has died. */
	private static History died(int hours, long tasks) {
		return new History(IntStream.rangeClosed(0, hours)
			.mapToObj((hour) -> new History.Hour(NEXT.plus(Duration.ofHours(hour)), 0, 0, (hour < hours) ? tasks : 0, 0,
					Duration.ZERO))
			.toList());
	}

	@Test
	void troubleCostsWhatTasksWaitAndEachDeathAnHour() {
		assertThat(judged(stats(7, 0, 0, 0, Duration.ofMinutes(2), true, 0, Duration.ZERO), 84, 12))
			.containsExactly(840L);
		assertThat(judged(stats(0, 0, 0, 72, Duration.ZERO, false, 0, Duration.ZERO), 85, 12))
			.containsExactly(216_000L);
	}

	private List<Long> judged(QueueStats stats, int hours, long usual) {
		return this.rules.judge(stats, 1, null, List.of(), () -> died(hours, usual))
			.stream()
			.map(Trouble::cost)
			.toList();
	}

	@Test
	void handlerHangsIfItTakesMuchLongerThanUsualAndHalfItsTime() {
		QueueStats stats = stats(0, 0, 0, 0, Duration.ZERO, false, 0, Duration.ZERO);
		List<Consumers.Running> running = Stream.of(903, 15, 14)
			.map((seconds) -> new Consumers.Running("order-" + seconds, "host-3", Duration.ofSeconds(seconds),
					Duration.ofSeconds(15)))
			.toList();
		assertThat(this.rules.judge(stats, 1, null, running, () -> handled(1000, Duration.ofMillis(152))))
			.extracting(Trouble::code, Trouble::sentence, Trouble::cost)
			.containsExactly(tuple("hanging",
					"A handler hangs: 'order-903' on host-3 has been running for 15 min 3 s (usually 152 ms), 2 in all.",
					918L));
		assertThat(this.rules.judge(stats, 1, null, running, () -> handled(10, Duration.ofMillis(1500))))
			.extracting((trouble) -> trouble.values().get(0))
			.containsExactly(1);
		assertThat(this.rules.judge(stats, 1, null, running, () -> handled(10, Duration.ofMillis(90_300)))).isEmpty();
		assertThat(this.rules.judge(stats, 1, null, running, () -> History.NONE)).as("nobody knows").isEmpty();
		assertThat(this.rules.judge(stats, 1, null, running.subList(2, 3), () -> {
			throw new IllegalStateException("It is not asked for");
		})).isEmpty();
	}

	private static History handled(long tasks, Duration each) {
		return new History(List.of(new History.Hour(NEXT, tasks, 0, 0, 0, each.multipliedBy(tasks))));
	}

	@ParameterizedTest
	@CsvSource({ "1441, 8, PT1S, true", "1440, 8, PT1S, false", "9000000, 0, PT1S, false",
			"9000000, 800000000, PT1S, false", "14400, 8, PT0.1S, false", "14401, 8, PT0.1S, true" })
	void waveIsMoreThanThreeTimesWhatWorkersDoInAMinute(long tasks, int workers, Duration each, boolean wave) {
		assertThat(TroubleRules.isWave(tasks, workers, each)).isEqualTo(wave);
	}

	@Test
	void waveSaysWhenItComesAndHowLongItTakes() {
		Trouble wave = TroubleRules.wave(2604, NEXT, 8, TroubleRules.handling(History.NONE));
		assertThat(wave.level()).isEqualTo(Level.NOTE);
		assertThat(wave.sentence()).isEqualTo("2,604 fall due in the minute of 2026-01-01T09:00:00Z: "
				+ "8 at a time, they take 5 min 25 s if each takes 1 s.");
		assertThat(wave.values()).containsExactly(2604L, NEXT, 8, Duration.ofMillis(325_500), Duration.ofSeconds(1));
		assertThat(TroubleRules.handling(handled(3, Duration.ofMillis(42)))).isEqualTo(Duration.ofMillis(42));
	}

	@Test
	void codesOfWhatIsWrongNow() {
		assertThat(TroubleRules.CODES).containsOnly(entry("unreadable", Level.DANGER),
				entry("no-consumer", Level.DANGER), entry("dying", Level.DANGER), entry("leases-lost", Level.DANGER),
				entry("hanging", Level.WARNING), entry("behind", Level.WARNING), entry("paused", Level.WARNING),
				entry("retrying", Level.WARNING), entry("unconsumed", Level.NOTE));
	}

	private static Stream<String> codes(TroubleRules rules, QueueStats stats) {
		return rules.judge(stats, 1, null, List.of(), () -> History.NONE).stream().map(Trouble::code);
	}

	private static QueueStats stats(long due, long lost, long retrying, long died, Duration oldest, boolean paused,
			long withinAnHour, Duration lostFor) {
		long[] delays = { 0, 0, 0, 0, withinAnHour, 0, 0, 0 };
		return new QueueStats(due + withinAnHour, due, 5, lost, retrying, 400, 0, 0, oldest,
				(withinAnHour > 0) ? NEXT : null, paused, new QueueStats.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1,
				Delays.of(delays), died, lostFor);
	}

}
