package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * That a script which answers something wrong makes a test fail, by an assertion. It
 * fails where assertions are off.
 */
class PairChecksIntegrationTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static RedisConnectionFactory connections;

	@BeforeAll
	static void open() {
		connections = Driver.LETTUCE.connect(TestRedis.server());
	}

	@AfterAll
	static void close() {
		Connections.close(connections);
	}

	@Test
	void rightAnswersPass() {
		useEverything(new ChangedScript(connections));
	}

	@ParameterizedTest
	@EnumSource
	void wrongAnswerFailsAnAssertion(WrongAnswer wrong) {
		ChangedScript script = new ChangedScript(connections);
		script.change(wrong.script, wrong.original, wrong.changed);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> useEverything(script))
			.withMessageContaining(wrong.message);
	}

	private static void useEverything(ChangedScript script) {
		RedisTaskStore store = new RedisTaskStore(new RedisConnections(script.connections(), Duration.ofMinutes(1)),
				"pairs:" + UUID.randomUUID() + ":", null);
		try {
			store.start();
			useEverything(store);
		}
		finally {
			store.destroy();
		}
	}

	private static void useEverything(TaskStore store) {
		String queue = "orders";
		store.schedule(queue, List.of(Tasks.task("a"), Tasks.task("a"), Tasks.task("b")));
		store.schedule(queue, List.of(Tasks.task("later", Duration.ofSeconds(50))));
		int claimed = store.claim(queue, ClaimRequest.of("one", 1, LEASE)).tasks().size()
				+ store.claim(queue, ClaimRequest.of("two", 2, LEASE)).tasks().size();
		assertThat(claimed).isEqualTo(2);
		store.extend(queue, List.of(new Extension("a", "one", LEASE), new Extension("b", "two", LEASE)));
		Settlement drop = new Settlement("a", "one", new Settlement.Drop());
		store.settle(queue, List.of(drop, drop));
	}

	/** A change of one place of a script, and what the assertion says. */
	enum WrongAnswer {

		SCHEDULE_SEES_A_REPEATED_ID_ONCE(Scripts.SCHEDULE, "local again = planned[id]", "local again = false",
				"Created twice: a"),

		SCHEDULE_SAYS_THAT_IT_REJECTED(Scripts.SCHEDULE, "replies[seen] = reply", "replies[seen] = 2",
				"Rejected although"),

		CLAIM_TAKES_ONE_MORE(Scripts.CLAIM, "tonumber(ARGV[3])", "tonumber(ARGV[3]) + 1", "2 tasks claimed, not 1"),

		CLAIM_IS_A_MINUTE_EARLY(Scripts.CLAIM, "local now = math.floor(now_us / 1000)",
				"local now = math.floor(now_us / 1000) + 60000", "later, due at"),

		CLAIM_WAKES_IN_THE_PAST(Scripts.CLAIM, "return { now_us, wake_us,", "return { now_us, -5,",
				"-5 us until the next claim"),

		EXTEND_ANSWERS_WITH_A_NUMBER(Scripts.EXTEND, "replies[n] = 1", "replies[n] = n + 1", "2 is neither 0 nor 1"),

		SETTLE_SEES_A_REPEATED_ID_ONCE(Scripts.SETTLE, "or settled[id]", "", "Settled twice: a");

		private final Script script;

		private final String original;

		private final String changed;

		private final String message;

		WrongAnswer(Script script, String original, String changed, String message) {
			this.script = script;
			this.original = original;
			this.changed = changed;
			this.message = message;
		}

	}

}
