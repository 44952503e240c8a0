package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.store.FaultFinder;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.memory.InMemorySubject;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether random histories find faults in scripts, within the number of histories of the
 * normal run, and show each by few operations.
 */
class ScriptFaultIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(ScriptFaultIntegrationTests.class);

	private static final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private static LettuceConnectionFactory connections;

	private static ChangedScript changedScript;

	private static RedisTaskStore store;

	private static RedisSubject subject;

	@BeforeAll
	static void open() {
		connections = new LettuceConnectionFactory(TestRedis.host(), TestRedis.port());
		connections.afterPropertiesSet();
		connections.start();
		changedScript = new ChangedScript(connections);
		store = new RedisTaskStore(changedScript.connections(), RedisSubject.prefix(), Duration.ofMinutes(1), clock);
		subject = new RedisSubject(store, TestRedis.host(), TestRedis.port());
	}

	@AfterAll
	static void close() {
		subject.close();
		store.destroy();
		connections.destroy();
	}

	@ParameterizedTest
	@EnumSource
	void faultIsFoundAndShownByFewOperations(ScriptFault fault) {
		changedScript.change(fault.script, fault.original, fault.changed);
		String message = FaultFinder.find(new InMemorySubject(clock), subject, clock,
				RedisRandomHistoryIntegrationTests.SEQUENCES);
		logger.debug("{}: {}", fault, message);
		assertThat(message).contains("Repeat: ");
	}

	/**
	 * A change of one place of a script.
	 */
	enum ScriptFault {

		SCHEDULE_LEAVES_THE_LEASE(Script.SCHEDULE, "index.low, leases, dead", "index.low, dead"),

		SCHEDULE_LEAVES_THE_COUNTS(Script.SCHEDULE, "remove('HDEL', deliveries)"),

		SCHEDULE_LEAVES_THE_FAILURE(Script.SCHEDULE, "remove('HDEL', errors)"),

		SCHEDULE_COUNTS_COMPLETED_AS_REPLACED(Script.SCHEDULE, "remove('ZREM', completed)",
				"replaced = replaced + remove('ZREM', completed)"),

		SCHEDULE_SEES_A_REPEATED_ID_ONCE(Script.SCHEDULE, "local again = planned[id]", "local again = false"),

		SCHEDULE_IS_A_FRACTION_OF_A_MILLISECOND_EARLY(Script.SCHEDULE, "math.min(now_ceil + ms, MAX_DUE)",
				"math.min(now_floor + ms, MAX_DUE)"),

		SCHEDULE_KNOWS_NO_END_OF_THE_CALENDAR(Script.SCHEDULE, "math.min(now_ceil + ms, MAX_DUE)", "now_ceil + ms"),

		SCHEDULE_WAKES_FOR_A_TASK_THAT_IS_NOT_THE_FIRST(Script.SCHEDULE, "'-inf', earliest_score)",
				"'-inf', '(' .. earliest_score)"),

		SCHEDULE_FORGETS_THAT_A_REPEATED_ID_WAS_EARLIER(Script.SCHEDULE,
				"else\n        earliest = math.min(earliest, tonumber(entries[i - 1]))"),

		SCHEDULE_DOUBLES_A_REPEATED_ID(Script.SCHEDULE, "        drop(id)\n"),

		SCHEDULE_WAKES_NOBODY(Script.SCHEDULE, "if wakes then", "if false then"),

		CLAIM_IS_A_MILLISECOND_EARLY(Script.CLAIM, "local now = math.floor(now_us / 1000)",
				"local now = math.floor(now_us / 1000) + 1"),

		CLAIM_IS_A_FRACTION_OF_A_MILLISECOND_EARLY(Script.CLAIM, "local now = math.floor(now_us / 1000)",
				"local now = math.ceil(now_us / 1000)"),

		CLAIM_COUNTS_NO_EXPIRY(Script.CLAIM, "expiries + 1, old_priority", "expiries, old_priority"),

		CLAIM_TAKES_MORE_THAN_HALF_OF_EXPIRED_LEASES(Script.CLAIM, "math.floor(limit / 2)", "math.ceil(limit / 2)"),

		CLAIM_KEEPS_THE_OLD_TOKEN(Script.CLAIM, "redis.call('HSET', deliveries, unpack(new_records))", """
				for i = 1, #new_records, 2 do
				  if not redis.call('HGET', deliveries, new_records[i]) then
				    redis.call('HSET', deliveries, new_records[i], new_records[i + 1])
				  end
				end"""),

		CLAIM_FORGETS_THE_LEASE(Script.CLAIM, "redis.call('ZADD', leases, unpack(lease_entries))"),

		CLAIM_PREFERS_LOW(Script.CLAIM, "ipairs({ 'h', 'n', 'l' })", "ipairs({ 'l', 'n', 'h' })"),

		CLAIM_TRIMS_ONE_TOO_FEW(Script.CLAIM, "math.min(surplus, TRIM) - 1", "math.min(surplus, TRIM - 1) - 1"),

		CLAIM_READS_ONE_SLICE_ONLY(Script.CLAIM, "while position < found and",
				"while position == 0 and position < found and"),

		CLAIM_WAKES_TOO_LATE_FOR_A_LEASE(Script.CLAIM, "ipairs({ index.h, index.n, index.l, leases })",
				"ipairs({ index.h, index.n, index.l })"),

		CLAIM_FORGETS_A_COMPLETED_TASK_BY_HALF(Script.CLAIM, "redis.call('HDEL', deliveries, unpack(old_completed))"),

		SETTLE_ASKS_FOR_NO_TOKEN(Script.SETTLE, "if holder ~= token or", "if not holder or"),

		SETTLE_SEES_A_REPEATED_ID_ONCE(Script.SETTLE, "or settled[id]", ""),

		SETTLE_FORGETS_THE_FAILURE_OF_A_RETRY(Script.SETTLE, "failure ~= '' and action ~= 'keep'",
				"failure ~= '' and action == 'bury'"),

		SETTLE_LEAVES_THE_FAILURE_OF_A_KEPT_TASK(Script.SETTLE, "run('HDEL', errors, cleared_errors)"),

		SETTLE_RELEASES_TO_NOW(Script.SETTLE, "local at = math.min(tonumber(due), MAX_DUE)", "local at = now_floor"),

		SETTLE_CHARGES_NOTHING(Script.SETTLE, "(charge == '1') and int(math.min(failures + 1, MAX_COUNT)) or failures",
				"failures"),

		SETTLE_WAKES_ALTHOUGH_THE_FIRST_IS_DUE(Script.SETTLE, "and earliest_before > now_floor", ""),

		EXTEND_ASKS_FOR_NO_TOKEN(Script.EXTEND, "== token then", "then"),

		EXTEND_COUNTS_NOTHING_STALE(Script.EXTEND, "if stale > 0 then", "if false then"),

		CANCEL_MISSES_LOW(Script.CANCEL, "+ redis.call('ZREM', low, id)"),

		CANCEL_LEAVES_THE_FAILURE(Script.CANCEL, "redis.call('HDEL', errors, id)"),

		RESCHEDULE_ALLOWS_THE_PAST(Script.RESCHEDULE, "due = math.max(due, now_floor)", "due = due"),

		RESCHEDULE_ALWAYS_WAKES(Script.RESCHEDULE, "if due < earliest and earliest > now_floor then", "if true then"),

		REDRIVE_KEEPS_THE_COUNTS(Script.REDRIVE, "redis.call('HDEL', deliveries, unpack(redriven))"),

		REDRIVE_FORGETS_THE_PRIORITY(Script.REDRIVE, "record and string.match(record, '^%d+:%d+:([hnl]):') or 'n'",
				"'n'"),

		PURGE_LEAVES_THE_FAILURE(Script.PURGE_DEAD, "redis.call('HDEL', errors, unpack(ids))"),

		CLEAR_LEAVES_COMPLETED_TASKS(Script.CLEAR, "dead, completed, tasks, deliveries", "dead, tasks, deliveries"),

		PAUSE_DOES_NOTHING(Script.PAUSE, "redis.call('HSET', meta, 'paused', '1')"),

		RESUME_WAKES_NOBODY_FOR_A_LEASE(Script.RESUME, "ipairs({ normal, high, low, leases })",
				"ipairs({ normal, high, low })"),

		LIST_IGNORES_THE_PRIORITY(Script.LIST, "return a.order < b.order", "return a.order > b.order"),

		LIST_ASKED_FOR_NO_ENVELOPES_HAS_THEM(Script.LIST, "ARGV[4] == 'bare' and {} or ", ""),

		STATS_COUNTS_KEPT_TASKS_AS_RETRYING(Script.STATS, "- completed_now - (", "- ("),

		STATS_COUNTS_A_DELAY_THAT_IS_THE_BOUND(Script.STATS, "string.format('(%.0f'", "string.format('%.0f'");

		private final Script script;

		private final String original;

		private final String changed;

		ScriptFault(Script script, String original) {
			this(script, original, "");
		}

		ScriptFault(Script script, String original, String changed) {
			this.script = script;
			this.original = original;
			this.changed = changed;
		}

	}

}
