package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories written by hand, most of which break one promise: the checker has to see it.
 * Each line begins with who wrote it: P a producer, C1 and C2 consumers, D the driver.
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

	@Test
	void acceptsATaskThatIsHandledOnceAndInTime() {
		assertAllIsWell(SENT + HANDLED);
	}

	@Test
	void findsALostTask() {
		assertViolation(SENT, "lost");
	}

	@Test
	void findsALostTaskThatWasBegunOnly() {
		assertViolation(SENT + BEGUN, "lost");
	}

	@Test
	void acceptsThatWhatWasCancelledIsNotHandled() {
		assertAllIsWell(SENT + """
				P cancel 1010 c1 orders a
				P answered 1012 c1 true
				""");
	}

	@Test
	void findsATaskThatIsGoneWithoutHavingBeenHandled() {
		assertViolation(SENT + """
				P send 2000 s2 orders a +0 OK:0 REPLACE
				P answered 2002 s2 CREATED
				C1 started 2110 1 orders a s2 0 0 2001
				C1 ended 2112 1 OK
				""", "lost");
	}

	@Test
	void acceptsThatWhatWasReplacedIsNotHandled() {
		assertAllIsWell(SENT + """
				P send 1050 s2 orders a +0 OK:0 REPLACE
				P answered 1052 s2 REPLACED
				C1 started 1110 1 orders a s2 0 0 1051
				C1 ended 1112 1 OK
				""");
	}

	@Test
	void findsThatNeitherAnAcknowledgedTaskNorAnUnansweredOneWasHandled() {
		assertViolation(SENT + """
				P send 1050 s2 orders a +0 OK:0 REPLACE
				P unknown 1052 s2 connection broke
				""", "lost");
	}

	@Test
	void acceptsThatAnUnansweredCallTookATasksPlace() {
		assertAllIsWell("""
				P send 900 s0 orders a +0 OK:0 REPLACE
				P unknown 902 s0 connection broke
				""" + SENT + """
				C1 started 1110 1 orders a s0 0 0 1003
				C1 ended 1112 1 OK
				""");
	}

	private static final String JOB_HANDLED = """
			P send 1000 s1 jobs a +100 OK:0 REPLACE
			P answered 1002 s1 CREATED
			C1 started 1110 1 jobs a s1 0 0 1102
			C1 ended 1112 1 OK
			C1 settled 1114 jobs a SUCCESS null
			""";

	private static final String ACCEPTED_AGAIN = """
			P send 2%1$s s2 jobs a +0 OK:0 REJECT
			P answered 2%1$s s2 CREATED
			C1 started 2%1$s 2 jobs a s2 0 0 2%1$s
			C1 ended 2%1$s 2 OK
			C1 settled 2%1$s jobs a SUCCESS null
			""";

	@Test
	void acceptsThatAnIdIsRejectedWhileItsTaskIsKept() {
		assertAllIsWell(JOB_HANDLED + """
				P send 2500 s2 jobs a +0 OK:0 REJECT
				P answered 2502 s2 REJECTED
				""");
	}

	@Test
	void acceptsThatAnIdIsNewOnceItsTaskIsNotKeptAnyMore() {
		assertAllIsWell(JOB_HANDLED + ACCEPTED_AGAIN.formatted("620"));
	}

	@Test
	void findsAnIdThatIsAcceptedWhileItsTaskIsKept() {
		assertViolation(JOB_HANDLED + ACCEPTED_AGAIN.formatted("500"), "retention");
	}

	private static final String REJECTED_LATE = """
			P send 24000 s2 jobs a +0 OK:0 REJECT
			P answered 24002 s2 REJECTED
			""";

	private static final String ANOTHER_JOB = """
			P send 20000 s3 jobs b +0 OK:0 REPLACE
			P answered 20002 s3 CREATED
			C1 started 20003 3 jobs b s3 0 0 20003
			C1 ended 20003 3 OK
			C1 settled 20004 jobs b SUCCESS null
			""";

	@Test
	void findsAnIdThatIsRejectedLongAfterItsTaskWasCompleted() {
		assertViolation(JOB_HANDLED + ANOTHER_JOB + REJECTED_LATE, "retention");
	}

	@Test
	void acceptsThatAnIdIsRejectedForAsLongAsNobodyClaims() {
		assertAllIsWell(JOB_HANDLED + REJECTED_LATE);
	}

	@Test
	void findsAnIdThatIsRejectedThoughNothingIsKept() {
		assertViolation(SENT + HANDLED + """
				P send 1120 s2 orders a +0 OK:0 REJECT
				P answered 1122 s2 REJECTED
				""", "retention");
	}

	@Test
	void findsAnIdThatIsRejectedAfterItWasCancelled() {
		assertViolation(SENT + """
				P cancel 1010 c1 orders a
				P answered 1012 c1 true
				P send 1020 s2 orders a +0 OK:0 REJECT
				P answered 1022 s2 REJECTED
				""", "retention");
	}

	@Test
	void acceptsARejectionAfterACallThatNobodyKnowsTheEndOf() {
		assertAllIsWell("""
				P send 1000 s1 orders a +100 OK:0 REPLACE
				P unknown 1002 s1 connection broke
				P send 1020 s2 orders a +0 OK:0 REJECT
				P answered 1022 s2 REJECTED
				""");
	}

	@Test
	void findsThatMoreIsKeptThanWasHandledLately() {
		assertAllIsWell(JOB_HANDLED + "D kept 2000 1\n");
		assertViolation(JOB_HANDLED + "D kept 2000 2\n", "retention");
		assertAllIsWell(JOB_HANDLED + ANOTHER_JOB + "D kept 24000 1\n");
		assertViolation(JOB_HANDLED + ANOTHER_JOB + "D kept 24000 2\n", "retention");
	}

	/** Died at 1112, and redriven at 9000. */
	private static final String REDRIVEN = """
			P send 1000 s1 orders a +100 BROKEN:5 REPLACE
			P answered 1002 s1 CREATED
			C1 started 1110 1 orders a s1 0 0 1102
			C1 ended 1112 1 FAILED
			C1 settled 1114 orders a DEAD BURIED
			P redrive 9000 r1 orders a
			P answered 9002 r1 true
			""";

	@Test
	void acceptsThatARedrivenTaskIsHandledAsIfItWereNew() {
		assertAllIsWell(REDRIVEN + """
				C2 started 9003 1 orders a s1 0 0 9001
				C2 ended 9004 1 OK
				C2 settled 9005 orders a SUCCESS null
				""");
	}

	@Test
	void acceptsThatTheClockIsSetBackWhileATaskIsRedriven() {
		assertAllIsWell("D clock 8000 7990 7995 5000\n" + REDRIVEN.replace("answered 9002", "answered 9500") + """
				D clock 9400 9390 9395 0
				C2 started 9501 1 orders a s1 0 0 9450
				C2 ended 9502 1 OK
				C2 settled 9503 orders a SUCCESS null
				""");
	}

	@Test
	void findsARedrivenTaskThatIsLost() {
		assertViolation(REDRIVEN, "lost");
	}

	@ParameterizedTest
	@CsvSource({ "9001, 1, counts", "8900, 0, settled" })
	void findsARedrivenTaskThatIsNotLikeANewOne(long dueAt, int failures, String rule) {
		assertThat(check(REDRIVEN + """
				C2 started 9003 1 orders a s1 %d 0 %d
				C2 ended 9004 1 OK
				""".formatted(failures, dueAt)).violations()).extracting(Findings.Violation::rule).contains(rule);
	}

	@Test
	void acceptsThatWhatWasReplacedIsHandledAsIfItsSuccessorHadNotBeenMoved() {
		assertAllIsWell(SENT + """
				P send 1110 s2 orders a +4000 OK:0 REPLACE
				P answered 1111 s2 REPLACED
				P move 1112 m1 orders a +0
				P answered 1113 m1 true
				C1 started 1114 1 orders a s1 0 0 1102
				C1 ended 1115 1 OK
				C1 settled 1116 orders a STALE null
				C1 started 1117 2 orders a s2 0 0 1113
				C1 ended 1118 2 OK
				C1 settled 1119 orders a SUCCESS null
				""");
	}

	@ParameterizedTest
	@CsvSource({ "3109,again", "5089," })
	void knowsThatTheTimeoutCountsFromBeforeTheHandlerIsCalled(long endedAt, String rule) {
		assertViolation(SENT.replace("OK:0", "HANG:0") + """
				C1 started 1110 1 orders a s1 0 0 1102
				C1 ended %d 1 INTERRUPTED
				C1 settled %d orders a RETRY null
				C2 started 6000 1 orders a s1 1 0 5391
				C2 ended 6001 1 OK
				C2 settled 6002 orders a SUCCESS null
				""".formatted(endedAt, endedAt + 1), rule);
	}

	@Test
	void acceptsThatAHandlerEndsAfterItHasFailedByItsTimeout() {
		assertAllIsWell(SENT + """
				C1 started 1110 1 orders a s1 0 0 1102
				C1 ended 9112 1 OK
				C1 settled 5114 orders a RETRY null
				C1 started 9200 2 orders a s1 1 0 5413
				C1 ended 9201 2 OK
				C1 settled 9202 orders a SUCCESS null
				""");
	}

	private static final String RECURRING = """
			D recurs 900 clock 1000 500 ONCE
			C1 run-started 1003 1 clock 1000 1000 0 0
			C1 run-ended 1005 1 OK
			C2 run-started 1502 1 clock 1500 1500 0 0
			C2 run-ended 1507 1 OK
			""";

	private static final String RECURRING_OVER = """
			D recurs-over 2600 clock true
			""";

	@Test
	void acceptsARecurringTaskThatIsRunAtItsTimesUntilItIsCancelled() {
		assertAllIsWell(RECURRING + RECURRING_OVER);
	}

	@Test
	void findsARecurringTaskThatIsGone() {
		assertViolation(RECURRING + """
				D recurs-over 2600 clock false
				""", "recurrence");
	}

	@Test
	void findsARecurringTaskThatIsNeverRun() {
		assertViolation("D recurs 900 clock 1000 500 ONCE\n" + RECURRING_OVER, "recurrence");
	}

	@ParameterizedTest
	@CsvSource({ "2003,2001,0,0", "2003,500,0,0", "7000,2000,0,0", "1600,1500,0,0", "1600,1500,0,1" })
	void findsARunOfARecurringTaskAtAnotherTimeOrTwiceOrAfterItsEnd(long startedAt, long dueAt, int failures,
			int leasesLost) {
		assertViolation(RECURRING + RECURRING_OVER + "C1 run-started %d 2 clock %d %d %d %d\nC1 run-ended %d 2 OK\n"
			.formatted(startedAt, dueAt, dueAt, failures, leasesLost, startedAt + 1), "recurrence");
	}

	@Test
	void acceptsARunThatIsDeliveredAgainForAReason() {
		assertAllIsWell("""
				D recurs 900 clock 1000 500 ONCE
				C1 run-started 1003 1 clock 1000 1000 0 0
				D process-ended 1004 consumer-1-1 137
				C2 run-started 4102 1 clock 1000 1000 0 1
				C2 run-ended 4107 1 OK
				C2 run-started 4500 2 clock 4500 4500 0 0
				C2 run-ended 4502 2 FAILED
				C2 run-started 4800 3 clock 4500 4799 1 0
				C2 run-ended 4803 3 OK
				D recurs-over 4900 clock true
				""");
	}

	@ParameterizedTest
	@CsvSource({ "3002,recurrence", "4982," })
	void knowsThatTheTimeoutOfARunCountsFromBeforeItsHandlerIsCalled(long endedAt, String rule) {
		assertViolation("""
				D recurs 900 clock 1000 500 ONCE
				C1 run-started 1003 1 clock 1000 1000 0 0
				C1 run-ended %d 1 INTERRUPTED
				C2 run-started 5400 1 clock 1000 5299 1 0
				C2 run-ended 5403 1 OK
				D recurs-over 5410 clock true
				""".formatted(endedAt), rule);
	}

	@Test
	void acceptsATimeThatIsPassedOverBecauseTheRunBeforeWasBegunAfterIt() {
		assertAllIsWell("""
				D recurs 900 clock 1000 500 ONCE
				C1 run-started 1503 1 clock 1000 1000 0 0
				C1 run-ended 2605 1 OK
				C2 run-started 2607 1 clock 2000 2000 0 0
				C2 run-ended 2608 1 OK
				""" + RECURRING_OVER.replace("2600", "2700"));
	}

	/**
	 * Another run was missed, and skipped, while one of longer than a period took place,
	 * or before a busy machine had settled that one and claimed the next.
	 */
	@ParameterizedTest
	@CsvSource({ "1740,SKIP,recurrence", "1760,SKIP,", "1760,ONCE,recurrence" })
	void knowsThatARunThatTakesLongLetsTheNextOnesBeSkipped(long endedAt, String onMissed, String rule) {
		assertViolation("""
				D recurs 900 clock 1000 500 %s
				C1 run-started 1003 1 clock 1000 1000 0 0
				C1 run-ended %d 1 OK
				C2 run-started 2507 1 clock 2500 2500 0 0
				C2 run-ended 2508 1 OK
				""".formatted(onMissed, endedAt) + RECURRING_OVER, rule);
	}

	@ParameterizedTest
	@CsvSource({ "consumer-1-1,", "consumer-3-1,recurrence" })
	void knowsThatAProcessMayBeStoppedBetweenItsClaimAndItsRun(String stopped, String rule) {
		assertViolation("""
				D recurs 900 clock 1000 500 ONCE
				D fault 1001 1 CONSUMER_STOPPED %s 1001
				C2 run-started 4102 1 clock 1000 1000 0 1
				D fault-over 5100 1
				C1 run-started 5105 1 clock 1000 1000 0 0
				C1 run-ended 5110 1 OK
				C2 run-ended 5200 1 OK
				D recurs-over 5300 clock true
				""".formatted(stopped), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1490,ONCE", "1240,SKIP" })
	void findsATimeThatIsPassedOver(long begunAt, String onMissed) {
		assertViolation("""
				D recurs 900 clock 1000 500 %s
				C1 run-started %d 1 clock 1000 1000 0 0
				C1 run-ended %d 1 OK
				C2 run-started 2007 1 clock 2000 2000 0 0
				C2 run-ended 2008 1 OK
				""".formatted(onMissed, begunAt, begunAt + 5) + RECURRING_OVER, "recurrence");
	}

	@ParameterizedTest
	@CsvSource({ "ONCE,recurrence", "SKIP," })
	void knowsThatAMissedRunMayBeSkipped(String onMissed, String rule) {
		assertViolation("""
				D recurs 900 clock 1000 500 %s
				C1 run-started 1003 1 clock 1000 1000 0 0
				C1 run-ended 1005 1 OK
				D fault 1101 1 REDIS_STOPPED * 1100
				D fault-over 2301 1
				C2 run-started 2507 1 clock 2500 2500 0 0
				C2 run-ended 2508 1 OK
				D recurs-over 2600 clock true
				""".formatted(onMissed), rule);
	}

	@ParameterizedTest
	@CsvSource({ "consumer-1-1,", "consumer-2-1,recurrence" })
	void findsTwoRunsAtATime(String stopped, String rule) {
		assertViolation("""
				D recurs 900 clock 1000 500 ONCE
				C1 run-started 1003 1 clock 1000 1000 0 0
				D fault 1101 1 CONSUMER_STOPPED %s 1100
				D fault-over 1301 1
				C2 run-started 1503 1 clock 1500 1500 0 0
				C2 run-ended 1505 1 OK
				C1 run-ended 1506 1 OK
				D recurs-over 1900 clock true
				""".formatted(stopped), rule);
	}

	@ParameterizedTest
	@CsvSource({ "FAILED,0,recurrence", "OK,0,", "FAILED,1,recurrence", "FAILED,3," })
	void findsARunThatIsNotTriedAgainThoughItFailed(String outcome, int failures, String rule) {
		StringBuilder history = new StringBuilder("D recurs 900 clock 1000 500 ONCE\n");
		for (int i = 0; i <= failures; i++) {
			history.append("C1 run-started %d %d clock 1000 %d %d 0\nC1 run-ended %d %d %s\n".formatted(1003 + i, i,
					1000 + i, i, 1003 + i, i, outcome));
		}
		assertViolation(history + """
				C2 run-started 1502 1 clock 1500 1500 0 0
				C2 run-ended 1507 1 OK
				D recurs-over 1900 clock true
				""", rule);
	}

	@ParameterizedTest
	@CsvSource({ "1499,1500,1500,0", "1600,1000,1500,0", "1600,1500,1550,0", "1600,1500,1500,2" })
	void findsARunThatIsEarlyOrToldAnotherTimeOrCountsTooMuch(long from, long runAt, long dueAt, int failures) {
		assertViolation("""
				D recurs 900 clock 1000 500 ONCE
				C1 run-started 1003 1 clock 1000 1000 0 0
				C1 run-ended 1005 1 OK
				C2 run-started %d 1 clock %d %d %d 0
				C2 run-ended 1700 1 OK
				D recurs-over 1900 clock true
				""".formatted(from, runAt, dueAt, failures), "recurrence");
	}

	@ParameterizedTest
	@CsvSource({ "1200,", "700,recurrence" })
	void letsARunBeRepeatedThatWasDueBeforeTheClockWasSetBack(long firstAt, String rule) {
		assertViolation("""
				D clock 1000 990 995 5000
				D recurs 900 clock 6000 500 ONCE
				C1 run-started %d 1 clock 6000 6000 0 0
				D clock 1300 1290 1295 0
				C2 run-started 5500 1 clock 6000 6000 0 1
				C2 run-ended 5501 1 OK
				D recurs-over 5600 clock true
				""".formatted(firstAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1101,1102,early", "1110,1099,early", "1102,1102,", "1110,1100," })
	void findsWhatIsHandledOrDueTooEarly(long startedAt, long dueAt, String rule) {
		assertViolation(SENT + """
				C1 started %d 1 orders a s1 0 0 %d
				C1 ended 1112 1 OK
				""".formatted(startedAt, dueAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1249,early", "1250," })
	void knowsAbsoluteDueTimes(long at, String rule) {
		assertViolation("""
				P send 1000 s1 orders a @1250 OK:0 REPLACE
				P answered 1002 s1 CREATED
				C1 started %d 1 orders a s1 0 0 1250
				C1 ended 1300 1 OK
				""".formatted(at), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1102,early", "1510," })
	void knowsThatATaskWasMoved(long dueAt, String rule) {
		assertViolation(SENT + """
				P move 1010 m1 orders a +500
				P answered 1012 m1 true
				C1 started 1600 1 orders a s1 0 0 %d
				C1 ended 1601 1 OK
				""".formatted(dueAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "true,early", "UNKNOWN," })
	void knowsThatAMoveMayReachTheServerAfterTheNextOne(String answer, String rule) {
		assertViolation(SENT + """
				P move 1003 m1 orders a +0
				P answered 1005 m1 %s
				P move 1010 m2 orders a +500
				P answered 1012 m2 true
				C1 started 1051 1 orders a s1 0 0 1050
				C1 ended 1052 1 OK
				""".formatted(answer), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1609,early", "1610," })
	void knowsThatWhatWasMovedMayHaveTakenItsPlaceOnlyAfterTheNextCall(long dueAt, String rule) {
		assertViolation("""
				P send 1000 s1 orders a +900 OK:0 REPLACE
				P answered 1005 s1 UNKNOWN
				P send 1006 s2 orders a +700 OK:0 REPLACE
				P answered 1008 s2 CREATED
				P move 1010 m1 orders a +600
				P answered 1012 m1 true
				C1 started 1700 1 orders a s1 0 0 %d
				C1 ended 1701 1 OK
				""".formatted(dueAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1102,1110,early", "6102,1101,early", "6102,1102," })
	void goesByTheServersClock(long dueAt, long startedAt, String rule) {
		assertViolation("""
				D clock 950 900 910 5000
				""" + SENT + """
				C1 started %d 1 orders a s1 0 0 %d
				C1 ended 6200 1 OK
				""".formatted(startedAt, dueAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1302,1310,early", "1412,1420," })
	void findsARetryThatIsTooEarly(long dueAt, long startedAt, String rule) {
		assertViolation("""
				P send 1000 s1 orders a +100 THROW:1 REPLACE
				P answered 1002 s1 CREATED
				C1 started 1110 1 orders a s1 0 0 1102
				C1 ended 1112 1 FAILED
				C1 settled 1114 orders a RETRY null
				C1 started %d 2 orders a s1 1 0 %d
				C1 ended 1500 2 OK
				""".formatted(startedAt, dueAt), rule);
	}

	/** Its process stood still, or was slow to call it. */
	@ParameterizedTest
	@CsvSource({ "1112,early", "3109,early", "3110,", "5089," })
	void knowsThatAHandlerMayHaveFailedByItsTimeoutBeforeItAskedForARetry(long endedAt, String rule) {
		assertViolation("""
				P send 1000 s1 orders a +100 RETRY_AFTER:700 REPLACE
				P answered 1002 s1 CREATED
				C1 started 1110 1 orders a s1 0 0 1102
				C1 ended %d 1 FAILED
				C1 settled %d orders a RETRY null
				C1 started %d 2 orders a s1 1 0 %d
				C1 ended 7000 2 OK
				""".formatted(endedAt, endedAt + 2, endedAt + 320, endedAt + 302), rule);
	}

	@Test
	void findsARedeliveryWithNothingCounted() {
		assertViolation(SENT + HANDLED.replace("C1 settled 1114 orders a SUCCESS null\n", "") + """
				C2 started 5000 1 orders a s1 0 0 1102
				C2 ended 5001 1 OK
				""", "again");
	}

	@Test
	void findsARedeliveryThatCountsAFailureThatWasNone() {
		assertViolation(SENT + HANDLED.replace("C1 settled 1114 orders a SUCCESS null\n", "") + """
				C2 started 5000 1 orders a s1 1 0 1500
				C2 ended 5001 1 OK
				""", "again");
	}

	@Test
	void findsALostLeaseWithoutAReason() {
		assertViolation(SENT + BEGUN + AGAIN_AFTER_LOST_LEASE, "again");
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

	@Test
	void acceptsALostLeaseOfAHandlerThatEndedItsProcess() {
		assertAllIsWell(SENT.replace("OK:0", "HALT:0") + BEGUN + """
				C1 ended 1111 1 HALTED
				""" + AGAIN_AFTER_LOST_LEASE);
	}

	@Test
	void acceptsALostLeaseOfANeighbourOfAHandlerThatEndedItsProcess() {
		assertAllIsWell(SENT + BEGUN + """
				D process-ended 1120 consumer-1-1 3
				""" + AGAIN_AFTER_LOST_LEASE);
	}

	@Test
	void acceptsALostLeaseOfAHandlerThatIgnoresItsTimeout() {
		assertAllIsWell("""
				P send 1000 s1 orders a +100 DEAF:8000 REPLACE
				P answered 1002 s1 CREATED
				C1 started 1110 1 orders a s1 0 0 1102
				C1 ended 9110 1 OK
				C1 settled 9111 orders a STALE null
				C2 started 8200 1 orders a s1 0 1 1102
				C2 ended 8201 1 OK
				""");
	}

	@Test
	void findsACompletedTaskThatComesBackEvenForAReason() {
		assertViolation(SENT + HANDLED + """
				D fault 1201 1 CONSUMER_KILLED consumer-1-1 1111
				D fault-over 1202 1
				""" + AGAIN_AFTER_LOST_LEASE, "settled");
	}

	@Test
	void findsASettlementThatCountedThoughTheTaskHadBeenTakenOver() {
		assertViolation(SENT + BEGUN + """
				D fault 1201 1 CONSUMER_STOPPED consumer-1-1 1200
				D fault-over 5001 1
				C2 started 4300 1 orders a s1 0 1 1102
				C1 ended 5003 1 OK
				C1 settled 5004 orders a SUCCESS null
				C2 ended 6001 1 OK
				C2 settled 6002 orders a STALE null
				""", "settled");
	}

	@Test
	void acceptsALateSettlementThatIsStale() {
		assertAllIsWell(SENT + BEGUN + """
				D fault 1201 1 CONSUMER_STOPPED consumer-1-1 1200
				D fault-over 5001 1
				C2 started 4300 1 orders a s1 0 1 1102
				C1 ended 5003 1 OK
				C1 settled 5004 orders a STALE null
				C2 ended 6001 1 OK
				C2 settled 6002 orders a SUCCESS null
				""");
	}

	@Test
	void findsARetryThatCountedThoughTheTaskHadBeenTakenOver() {
		assertViolation(SENT.replace("OK:0", "THROW:1") + BEGUN + """
				D fault 1201 1 CONSUMER_STOPPED consumer-1-1 1200
				D fault-over 5001 1
				C2 started 4300 1 orders a s1 0 1 1102
				C1 ended 5003 1 FAILED
				C1 settled 5004 orders a RETRY null
				C2 ended 6001 1 OK
				""", "settled");
	}

	@Test
	void findsCountsThatGoBack() {
		assertViolation(SENT + """
				D fault 1201 1 CONSUMER_KILLED consumer-1-1 1111
				D fault-over 1202 1
				C1 started 1110 1 orders a s1 1 0 1102
				C2 started 5000 1 orders a s1 0 2 1102
				C2 ended 5001 1 OK
				""", "counts");
	}

	@Test
	void acceptsWhatWasHandedBackByAConsumerThatWasAskedToEnd() {
		assertAllIsWell(SENT.replace("OK:0", "HANG:0") + BEGUN + """
				D fault 1201 1 CONSUMER_ENDED consumer-1-1 1200
				C1 ended 3000 1 INTERRUPTED
				C2 started 3010 1 orders a s1 0 0 1102
				D fault-over 4000 1
				C2 ended 3011 1 OK
				""");
	}

	@ParameterizedTest
	@CsvSource({ "refused 1002 s1 OOM,answer", "answered 1002 s1 REJECTED,answer", "unknown 1002 s1 time-out," })
	void findsWhatIsHandledThoughItWasNotTaken(String answer, String rule) {
		assertViolation("""
				P send 1000 s1 orders a +100 OK:0 REPLACE
				P %s
				""".formatted(answer) + HANDLED, rule);
	}

	@Test
	void findsWhatNobodyScheduled() {
		assertViolation(HANDLED, "answer");
	}

	@ParameterizedTest
	@CsvSource({ "true,8000,answer", "true,1110,", "false,8000,answer" })
	void findsWhatIsBegunAfterItWasCancelled(boolean answer, long startedAt, String rule) {
		assertViolation(SENT + """
				P cancel 1050 c1 orders a
				P answered 1052 c1 %s
				C1 started %d 1 orders a s1 0 0 1102
				C1 ended 8001 1 OK
				""".formatted(answer, startedAt), rule);
	}

	@ParameterizedTest
	@CsvSource({ "1110,", "8000,answer" })
	void whatWasCancelledBeforeIsNotFoundByTheNextCancellation(long startedAt, String rule) {
		assertViolation(SENT + """
				P cancel 1050 c1 orders a
				P answered 1052 c1 true
				P cancel 1060 c2 orders a
				P answered 1062 c2 false
				C1 started %d 1 orders a s1 0 0 1102
				C1 ended 8001 1 OK
				""".formatted(startedAt), rule);
	}

	@Test
	void findsKeysThatAreLeft() {
		assertViolation(SENT + HANDLED + """
				D key 9000 delay:queue:names
				D key 9000 delay:queue:{orders}:meta
				D key 9000 delay:queue:{orders}:deliveries
				""", "left");
	}

	@ParameterizedTest
	@CsvSource({ "NOT_RETRYABLE,", "BURIED,dead", "LEASES_EXHAUSTED,dead" })
	void findsATaskThatDiedOfSomethingElse(String reason, String rule) {
		assertViolation(SENT.replace("OK:0", "NOT_RETRYABLE:0") + BEGUN + """
				C1 ended 1111 1 FAILED
				D dead 9000 orders a s1 %s
				""".formatted(reason), rule);
	}

	@Test
	void findsATaskThatDidNotDie() {
		assertViolation(SENT.replace("OK:0", "DEAD_LETTER:0") + BEGUN + "C1 ended 1111 1 FAILED\n", "dead");
	}

	@ParameterizedTest
	@CsvSource({ "1 1 0 0 0,", "2 2 0 0 0,totals", "1 0 0 0 0,totals", "0 0 0 0 0,totals", "1 0 1 0 0,totals" })
	void findsTotalsThatDoNotAddUpOrDisagree(String totals, String rule) {
		assertViolation(SENT + HANDLED + "D totals 9000 orders " + totals + " 0 0 0\n", rule);
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
	void blamesNobodyForWorkThatStoodStillWhileNoConsumerWasThere() {
		assertAllIsWell(SENT + HANDLED + """
				D fault 3001 1 MEMORY_FULL * 3000
				D fault-over 6000 1
				""");
	}

	@Test
	void findsWhatWasFoundDuringTheRun() {
		assertViolation(SENT + HANDLED + "D violation 1 drain Queue orders was not empty\n", "run");
	}

	@Test
	void findsThatARunDidNotEnd() {
		HistoryReader reader = new HistoryReader();
		assertThat(HistoryChecker.check(reader.finish()).violations()).extracting(Findings.Violation::rule)
			.containsExactly("run");
	}

	/** Its handler hangs until 9000, and then its consumer gives it back. */
	private static final String HANDED_BACK = SENT + """
			D fault 8000 1 CONSUMER_ENDED consumer-1 8000
			C1 started 1110 1 orders a s1 0 0 1102
			C1 ended 9000 1 OK
			""";

	@Test
	void acceptsThatATaskIsNotBegunAgainBeforeItsHandlerHasEnded() {
		assertLate(HANDED_BACK + """
				C2 started 9100 1 orders a s1 0 0 1102
				""", false);
	}

	@Test
	void findsATaskThatWaitsForLongAfterItWasHandedBackWithoutAFault() {
		assertLate(HANDED_BACK.replace("D fault 8000 1 CONSUMER_ENDED consumer-1 8000\n", "") + """
				C2 started 11100 1 orders a s1 0 0 1102
				""", true);
	}

	/** It may have been told that it can go on while a call waited that was lost. */
	@Test
	void acceptsThatATaskWaitsForAPollAfterItsConsumerWasCutOff() {
		String cutOff = "D fault 1050 1 CUT_OFF consumer-1 1050\nD fault-over 2000 1\n";
		assertLate(SENT + cutOff + "C1 started 30000 1 orders a s1 0 0 1102\n", false);
		assertLate(SENT + cutOff + "C1 started 36100 1 orders a s1 0 0 1102\n", true);
	}

	/** It is due from when the journal makes up for it. */
	@Test
	void acceptsThatATaskIsBegunAgainThatRedisForgotWhileItsHandlerRan() {
		assertLate(SENT + BEGUN + """
				D journaled 900
				D fault 3500 1 REDIS_EMPTIED * 3500
				D fault-over 3600 1
				C2 started 5000 1 orders a s1 0 0 4990
				C1 ended 5500 1 OK
				""", false);
	}

	@Test
	void findsATaskThatItsJournalHandsOverLate() {
		assertLate(SENT + """
				D journaled 900
				C1 started 5000 1 orders a s1 0 0 4990
				""", true);
	}

	private static void assertLate(String history, boolean late) {
		List<Findings.Violation> violations = HistoryChecker.checkSimulated(read(history), Duration.ofSeconds(30))
			.violations();
		assertThat(violations.stream().anyMatch((violation) -> violation.rule().equals("late"))).isEqualTo(late);
	}

	private static void assertAllIsWell(String history) {
		assertThat(check(history).violations()).isEmpty();
	}

	private static void assertViolation(String history, String rule) {
		List<Findings.Violation> violations = check(history).violations();
		if (rule == null) {
			assertThat(violations).isEmpty();
		}
		else {
			assertThat(violations).isNotEmpty().extracting(Findings.Violation::rule).containsOnly(rule);
		}
	}

	private static Findings check(String history) {
		return HistoryChecker.check(read(history));
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
