package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Histories written by hand that break one promise each: the checker has to see it. That
 * it is content with what is right, the suites show that it checks. Each line begins with
 * who wrote it: P a producer, C1 and C2 consumers, D the driver.
 */
@SelfTest
class HistoryCheckerTests {

	private static final Map<String, String> PROCESSES = Map.of("P", "producer-1-1", "C1", "consumer-1-1", "C2",
			"consumer-2-1", "D", "driver");

	/** Scheduled at 1000 for 1100, and acknowledged. */
	private static final String SENT = """
			P send 1000 s1 orders a +100 OK:0 REPLACE
			P answered 1002 s1 CREATED
			""";

	private static final String HANDLED = """
			C1 started 1110 1 orders a s1 0 0 1102
			C1 ended 1112 1 OK
			C1 settled 1114 orders a SUCCESS null
			""";

	/** Begun at 1110 by a consumer that writes nothing more. */
	private static final String BEGUN = """
			C1 started 1110 1 orders a s1 0 0 1102
			""";

	private static final String AGAIN_AFTER_LOST_LEASE = """
			C2 started 5000 1 orders a s1 0 1 1102
			C2 ended 5001 1 OK
			C2 settled 5002 orders a SUCCESS null
			""";

	private static final String JOB_HANDLED = """
			P send 1000 s1 jobs a +100 OK:0 REPLACE
			P answered 1002 s1 CREATED
			C1 started 1110 1 jobs a s1 0 0 1102
			C1 ended 1112 1 OK
			C1 settled 1114 jobs a SUCCESS null
			""";

	/** Died at 1112, and redriven at 9000. */
	private static final String REDRIVEN = """
			P send 1000 s1 orders a +100 BROKEN:5 REPLACE
			P answered 1002 s1 CREATED
			C1 started 1110 1 orders a s1 0 0 1102
			C1 ended 1112 1 FAILED
			C1 settled 1114 orders a DEAD DEAD_LETTERED
			P redrive 9000 r1 orders a
			P answered 9002 r1 true
			""";

	private static final String RECURRING = """
			D recurs 900 clock 1000 500 ONCE
			C1 run-started 1003 1 clock 1000 1000 0 0
			C1 run-ended 1005 1 OK
			""";

	private static final String RECURRING_OVER = """
			C2 run-started 1502 1 clock 1500 1500 0 0
			C2 run-ended 1507 1 OK
			D recurs-over 1900 clock true
			""";

	@Test
	void isContentWithWhatIsRight() {
		assertViolation(SENT + HANDLED + "D totals 9000 orders 1 1 0 0 0 0 0 0\n", null);
		assertViolation(JOB_HANDLED + "D kept 2000 1\n", null);
		assertViolation(RECURRING + RECURRING_OVER, null);
	}

	static Stream<Arguments> broken() {
		return Stream.of(arguments("lost", SENT), arguments("lost", SENT + BEGUN), arguments("lost", REDRIVEN),
				arguments("lost", SENT + """
						P send 1050 s2 orders a +0 OK:0 REPLACE
						P unknown 1052 s2 connection broke
						"""), arguments("retention", JOB_HANDLED + """
						P send 2500 s2 jobs a +0 OK:0 REJECT
						P answered 2500 s2 CREATED
						C1 started 2500 2 jobs a s2 0 0 2500
						C1 ended 2500 2 OK
						C1 settled 2500 jobs a SUCCESS null
						"""), arguments("retention", SENT + HANDLED + """
						P send 1120 s2 orders a +0 OK:0 REJECT
						P answered 1122 s2 REJECTED
						"""), arguments("retention", JOB_HANDLED + "D kept 2000 2\n"), arguments("early", SENT + """
						C1 started 1101 1 orders a s1 0 0 1102
						C1 ended 1112 1 OK
						"""), arguments("early", SENT + """
						P move 1010 m1 orders a +500
						P answered 1012 m1 true
						C1 started 1600 1 orders a s1 0 0 1102
						C1 ended 1601 1 OK
						"""), arguments("early", "D clock 950 900 910 5000\n" + SENT + """
						C1 started 1101 1 orders a s1 0 0 6102
						C1 ended 6200 1 OK
						"""), arguments("early", SENT.replace("OK:0", "THROW:1") + """
						C1 started 1110 1 orders a s1 0 0 1102
						C1 ended 1112 1 FAILED
						C1 settled 1114 orders a RETRY null
						C1 started 1310 2 orders a s1 1 0 1302
						C1 ended 1500 2 OK
						"""), arguments("again", SENT + """
						C1 started 1110 1 orders a s1 0 0 1102
						C1 ended 1112 1 OK
						C2 started 5000 1 orders a s1 1 0 1500
						C2 ended 5001 1 OK
						"""), arguments("again", SENT + BEGUN + AGAIN_AFTER_LOST_LEASE),
				arguments("settled", SENT + HANDLED + """
						D fault 1201 1 CONSUMER_KILLED consumer-1-1 1111
						D fault-over 1202 1
						""" + AGAIN_AFTER_LOST_LEASE), arguments("settled", SENT + BEGUN + """
						D fault 1201 1 CONSUMER_STOPPED consumer-1-1 1200
						D fault-over 5001 1
						C2 started 4300 1 orders a s1 0 1 1102
						C1 ended 5003 1 OK
						C1 settled 5004 orders a SUCCESS null
						C2 ended 6001 1 OK
						C2 settled 6002 orders a STALE null
						"""), arguments("counts", SENT + """
						D fault 1201 1 CONSUMER_KILLED consumer-1-1 1111
						D fault-over 1202 1
						C1 started 1110 1 orders a s1 1 0 1102
						C2 started 5000 1 orders a s1 0 2 1102
						C2 ended 5001 1 OK
						"""), arguments("counts", REDRIVEN + """
						C2 started 9003 1 orders a s1 1 0 9001
						C2 ended 9004 1 OK
						"""), arguments("answer", HANDLED), arguments("answer", """
						P send 1000 s1 orders a +100 OK:0 REPLACE
						P refused 1002 s1 OOM
						""" + HANDLED), arguments("answer", SENT + """
						P cancel 1050 c1 orders a
						P answered 1052 c1 true
						C1 started 8000 1 orders a s1 0 0 1102
						C1 ended 8001 1 OK
						"""), arguments("left", SENT + HANDLED + "D key 9000 delay:queue:{orders}:deliveries\n"),
				arguments("dead", SENT.replace("OK:0", "DEAD_LETTER:0") + BEGUN + "C1 ended 1111 1 FAILED\n"),
				arguments("dead", SENT.replace("OK:0", "NOT_RETRYABLE:0") + BEGUN + """
						C1 ended 1111 1 FAILED
						D dead 9000 orders a s1 DEAD_LETTERED
						"""), arguments("totals", SENT + HANDLED + "D totals 9000 orders 1 0 0 0 0 0 0 0\n"),
				arguments("run", SENT + HANDLED + "D violation 1 drain Queue orders was not empty\n"));
	}

	@ParameterizedTest
	@MethodSource("broken")
	void findsWhatIsBroken(String rule, String history) {
		assertViolation(history, rule);
	}

	static Stream<String> brokenRecurrences() {
		return Stream.of("D recurs 900 clock 1000 500 ONCE\nD recurs-over 2600 clock true\n",
				RECURRING + RECURRING_OVER.replace("true", "false"),
				RECURRING.replace("1 OK", "1 FAILED") + RECURRING_OVER,
				RECURRING + RECURRING_OVER.replace("1502 1", "1499 1"),
				RECURRING + RECURRING_OVER.replace("1500 1500", "1000 1500"), RECURRING + """
						C2 run-started 2007 1 clock 2000 2000 0 0
						C2 run-ended 2008 1 OK
						D recurs-over 2400 clock true
						""", RECURRING + """
						C1 run-started 1600 2 clock 1500 1500 0 0
						C1 run-ended 1601 2 OK
						""" + RECURRING_OVER, RECURRING.replace("ended 1005", "ended 1506") + RECURRING_OVER);
	}

	@ParameterizedTest
	@MethodSource("brokenRecurrences")
	void findsWhatIsWrongWithRuns(String history) {
		assertViolation(history, "recurrence");
	}

	@ParameterizedTest
	@CsvSource({ "CONSUMER_KILLED,consumer-1-1,", "CONSUMER_STOPPED,consumer-1-1,", "CONNECTIONS_CUT,consumer-1,",
			"REDIS_KILLED,*,", "CONSUMER_KILLED,consumer-2-1,again", "CONSUMER_KILLED,consumer-1-12,again",
			"SCRIPTS_FLUSHED,*,again", "MEMORY_FULL,*,again", "MESSAGES_LOST,*,again" })
	void acceptsALostLeaseForAReasonOfItsHolder(String kind, String target, String rule) {
		assertViolation(SENT + BEGUN + """
				D fault 1201 1 %s %s 1200
				D fault-over 1202 1
				""".formatted(kind, target) + AGAIN_AFTER_LOST_LEASE, rule);
	}

	@ParameterizedTest
	@CsvSource({ "MEMORY_FULL,7000,memory-full", "MESSAGES_LOST,7000,messages-lost", "MEMORY_FULL,4000,",
			"MESSAGES_LOST,4000,", "SCRIPTS_FLUSHED,7000," })
	void findsThatTheWorkStoodStill(String kind, long startedAt, String rule) {
		assertViolation(SENT + HANDLED + """
				D fault 3001 1 %s * 3000
				D fault-over 6000 1
				P send 2000 s2 jobs b +0 OK:0 REPLACE
				P answered 2002 s2 CREATED
				C1 started %d 2 jobs b s2 0 0 2000
				C1 ended %d 2 OK
				C1 settled %d jobs b SUCCESS null
				""".formatted(kind, startedAt, startedAt, startedAt), rule);
	}

	@Test
	void findsThatARunDidNotEnd() {
		HistoryReader reader = new HistoryReader();
		assertThat(HistoryChecker.check(reader.finish()).violations()).extracting(Findings.Violation::rule)
			.containsExactly("run");
	}

	/** It may have been told that it can go on while a call waited that was lost. */
	@ParameterizedTest
	@CsvSource({ "30000, false", "36100, true" })
	void findsATaskThatIsLate(long startedAt, boolean late) {
		History history = read(SENT + """
				D fault 1050 1 CUT_OFF consumer-1 1050
				D fault-over 2000 1
				C1 started %d 1 orders a s1 0 0 1102
				""".formatted(startedAt));
		assertThat(HistoryChecker.checkSimulated(history, Duration.ofSeconds(30))
			.violations()
			.stream()
			.anyMatch((violation) -> violation.rule().equals("late"))).isEqualTo(late);
	}

	private static void assertViolation(String history, String rule) {
		List<Findings.Violation> violations = HistoryChecker.check(read(history)).violations();
		if (rule == null) {
			assertThat(violations).isEmpty();
		}
		else {
			assertThat(violations).isNotEmpty().extracting(Findings.Violation::rule).containsOnly(rule);
		}
	}

	private static History read(String history) {
		Map<String, List<String>> lines = new TreeMap<>();
		(history + "D end 10000\n").lines().forEach((line) -> {
			int space = line.indexOf(' ');
			lines.computeIfAbsent(PROCESSES.get(line.substring(0, space)), (process) -> new ArrayList<>())
				.add(line.substring(space + 1));
		});
		HistoryReader reader = new HistoryReader();
		lines.forEach(reader::readProcess);
		return reader.finish();
	}

}
