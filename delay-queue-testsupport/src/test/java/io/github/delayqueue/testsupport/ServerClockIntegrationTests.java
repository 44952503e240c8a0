package io.github.delayqueue.testsupport;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SelfTest
class ServerClockIntegrationTests {

	/** By which the clock that was set may be off. */
	private static final Duration CLOSELY = Duration.ofMillis(500);

	private static final Duration AHEAD = Duration.ofDays(30).plusMillis(5);

	private static final Duration BEHIND = Duration.ofMinutes(-90).plusMillis(3);

	@Test
	void clockOfAnOrdinaryServerIsTheMachinesAndStaysIt() {
		try (RedisServer server = RedisServer.startNew()) {
			assertThatIllegalStateException().isThrownBy(() -> server.shiftClock(AHEAD))
				.withMessageContaining("adjustableClock()");
			assertClock(server, Duration.ZERO);
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void clockStepsForwardAndBack() {
		try (RedisServer server = RedisServer.builder().adjustableClock().build().start()) {
			assertClock(server, Duration.ZERO);
			for (Duration offset : new Duration[] { AHEAD, BEHIND, Duration.ZERO, Duration.ofMillis(-700) }) {
				server.shiftClock(offset);
				assertClock(server, offset);
			}
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void clockAndDataOutliveBeingKilled() {
		try (RedisServer server = RedisServer.builder()
			.appendOnly(AppendOnly.ALWAYS)
			.adjustableClock()
			.build()
			.start()) {
			server.shiftClock(AHEAD);
			server.cli("SET", "key", "value");
			server.kill();
			server.start();
			assertClock(server, AHEAD);
			assertThat(server.cli("GET", "key")).isEqualTo("value");
			server.kill();
			server.shiftClock(BEHIND);
			server.start();
			assertClock(server, BEHIND);
			assertThat(server.cli("GET", "key")).isEqualTo("value");
		}
	}

	/** However long the answer takes. */
	private static void assertClock(RedisServer server, Duration offset) {
		Instant before = Instant.now().plus(offset);
		Instant time = server.time();
		assertThat(time).isBetween(before.minus(CLOSELY), Instant.now().plus(offset).plus(CLOSELY));
	}

	static boolean canAdjustClock() {
		return RedisServer.canAdjustClock();
	}

}
