package io.github.delayqueue.testsupport;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import org.assertj.core.data.TemporalUnitOffset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import static java.time.temporal.ChronoUnit.MILLIS;

class ServerClockIntegrationTests {

	private static final TemporalUnitOffset CLOSELY = within(500, MILLIS);

	private static final Duration AHEAD = Duration.ofDays(30).plusMillis(5);

	private static final Duration BEHIND = Duration.ofMinutes(-90).plusMillis(3);

	@Test
	void clockOfAnOrdinaryServerIsTheMachinesAndStaysIt() {
		try (RedisServer server = RedisServer.startNew()) {
			assertThatIllegalStateException().isThrownBy(() -> server.shiftClock(AHEAD))
				.withMessageContaining("adjustableClock()");
			assertThat(server.clockOffset()).isZero();
			assertThat(server.time()).isCloseTo(Instant.now(), CLOSELY);
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void clockStepsForwardAndBack() {
		try (RedisServer server = RedisServer.builder().adjustableClock().build().start()) {
			assertThat(server.time()).isCloseTo(Instant.now(), CLOSELY);
			for (Duration offset : new Duration[] { AHEAD, BEHIND, Duration.ZERO, Duration.ofMillis(-700) }) {
				server.shiftClock(offset);
				assertThat(server.clockOffset()).isEqualTo(offset);
				assertThat(server.time()).isCloseTo(Instant.now().plus(offset), CLOSELY);
			}
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void scriptsSeeTheClockThatWasSet() {
		try (RedisServer server = RedisServer.builder().adjustableClock().build().start()) {
			server.shiftClock(AHEAD);
			Object seconds = server.cli("EVAL", "return redis.call('TIME')[1]", "0");
			assertThat(Instant.ofEpochSecond(Long.parseLong(String.valueOf(seconds))))
				.isCloseTo(Instant.now().plus(AHEAD), within(1500, MILLIS));
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
			assertThat(server.time()).isCloseTo(Instant.now().plus(AHEAD), CLOSELY);
			assertThat(server.cli("GET", "key")).isEqualTo("value");
			server.kill();
			server.shiftClock(BEHIND);
			server.start();
			assertThat(server.time()).isCloseTo(Instant.now().plus(BEHIND), CLOSELY);
			assertThat(server.cli("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void clockOfAPausedServerStepsAfterItIsResumed() {
		try (RedisServer server = RedisServer.builder().adjustableClock().build().start()) {
			server.pause();
			server.shiftClock(AHEAD);
			server.resume();
			Awaitility.await()
				.untilAsserted(() -> assertThat(server.time()).isCloseTo(Instant.now().plus(AHEAD), CLOSELY));
		}
	}

	@Test
	@EnabledIf("canAdjustClock")
	void nothingIsLeftInSharedMemory() {
		RedisServer server = RedisServer.builder().adjustableClock().build().start();
		String pid = String
			.valueOf(server.cli("EVAL", "return string.match(redis.call('INFO', 'server'), 'process_id:(%d+)')", "0"));
		server.kill();
		server.close();
		assertThat(Path.of("/dev/shm").toFile().list((folder, name) -> name.endsWith("_" + pid))).isEmpty();
	}

	static boolean canAdjustClock() {
		return RedisServer.canAdjustClock();
	}

}
