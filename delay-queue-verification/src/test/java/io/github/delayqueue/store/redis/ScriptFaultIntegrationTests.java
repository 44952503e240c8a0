package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.incarnation.RedisIncarnations;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.management.RedisManagement;
import io.github.delayqueue.partition.RedisSourceNumbers;
import io.github.delayqueue.retention.RedisRetention;
import io.github.delayqueue.sharing.NewTaskCalls;
import io.github.delayqueue.store.FaultFinder;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.memory.InMemorySubject;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.SelfTest;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether random histories find faults in scripts, and show each by few operations. Which
 * history finds which is written down in {@link ScriptFaultSeeds}: a fault is searched
 * for, among as many histories as a full run has, only where that one does not find it.
 */
@SelfTest
@Execution(ExecutionMode.CONCURRENT)
class ScriptFaultIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(ScriptFaultIntegrationTests.class);

	private static final Script DEBOUNCING = Scripts.SCHEDULE.with(Map.of(Debounce.class, "debounce"));

	private static final Script IN_FLIGHT = Scripts.CLAIM.with(Map.of(GlobalConcurrency.class, "global_concurrency"));

	private static final Script RATED = Scripts.CLAIM.with(Map.of(RateLimit.class, "rate_limit"));

	private static final ScriptFaultSeeds seeds = ScriptFaultSeeds.read();

	/** Lanes that no fault is tried in at the moment. */
	private static final Queue<Lane> idle = new ConcurrentLinkedQueue<>();

	private static RedisConnectionFactory connections;

	@BeforeAll
	static void open() {
		connections = Driver.LETTUCE.connect(TestRedis.server());
	}

	@AfterAll
	static void close() {
		idle.forEach(Lane::close);
		Connections.close(connections);
	}

	@ParameterizedTest
	@EnumSource
	void faultIsFoundAndShownByFewOperations(ScriptFault fault) {
		Lane free = idle.poll();
		Lane lane = (free != null) ? free : new Lane(connections);
		try {
			FaultFinder.Found found = lane.find(fault, seeds.of(fault));
			logger.debug("{}: {}", fault, found.message());
			assertThat(found.message()).contains("Repeat: ");
			seeds.note(fault, found.seed());
		}
		finally {
			idle.add(lane);
		}
	}

	/** A store with one fault at a time, beside others with other ones. */
	private static final class Lane {

		private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

		private final ChangedScript changedScript;

		private final RedisTaskStore store;

		private final RedisSubject subject;

		Lane(RedisConnectionFactory connections) {
			this.changedScript = new ChangedScript(connections);
			this.store = new RedisTaskStore(
					new RedisConnections(this.changedScript.connections(), Duration.ofMinutes(1)),
					RedisSubject.prefix(), this.clock);
			this.store.add(new NewTaskCalls(this.store.scripts()));
			this.store.add(new RedisManagement(this.store));
			this.store.add(new RedisRetention(this.store.scripts()));
			this.store.add(new RedisSourceNumbers(this.store.scripts()));
			this.store.add(new RedisIncarnations(this.store.scripts()));
			this.subject = new RedisSubject(this.store, TestRedis.host(), TestRedis.port());
		}

		FaultFinder.Found find(ScriptFault fault, @Nullable Long seed) {
			this.changedScript.change(fault.script, fault.original, fault.changed);
			return FaultFinder.find(new InMemorySubject(this.clock), this.subject, this.clock, seed,
					RedisRandomHistoryIntegrationTests.SEQUENCES);
		}

		void close() {
			this.subject.close();
			this.store.destroy();
		}

	}

	/**
	 * A change of one place of a script. Most are in what it computes: no wrapper around
	 * its commands could make them.
	 */
	enum ScriptFault {

		SCHEDULE_LEAVES_THE_LEASE(Scripts.SCHEDULE, "end_leases(redis.pcall, order)", "0"),

		SCHEDULE_WAKES_NOBODY_FOR_ITS_ROOM(Scripts.SCHEDULE, "if full and freed > 0 then", "if false then"),

		SCHEDULE_TELLS_NO_HOLDER(Scripts.SCHEDULE, "freed > 0 and tell_holders()", "false"),

		SCHEDULE_LEAVES_THE_COUNTS(Scripts.SCHEDULE, "remove('HDEL', deliveries)"),

		SCHEDULE_LEAVES_THE_FAILURE(Scripts.SCHEDULE, "remove('HDEL', errors)"),

		SCHEDULE_COUNTS_COMPLETED_AS_REPLACED(Scripts.SCHEDULE, "remove('ZREM', completed)",
				"replaced = replaced + remove('ZREM', completed)"),

		SCHEDULE_SEES_A_REPEATED_ID_ONCE(Scripts.SCHEDULE, "local again = planned[id]", "local again = false"),

		SCHEDULE_IS_A_FRACTION_OF_A_MILLISECOND_EARLY(Scripts.SCHEDULE, "or now_ceil + ms, earliest)",
				"or now_floor + ms, earliest)"),

		SCHEDULE_KNOWS_NO_END_OF_THE_CALENDAR(Scripts.SCHEDULE, "now_ceil + ms, earliest), MAX_DUE)",
				"now_ceil + ms, earliest), math.huge)"),

		SCHEDULE_WAKES_FOR_A_TASK_THAT_IS_NOT_THE_FIRST(Scripts.SCHEDULE, "none_due_by(string.format('%.0f', earliest)",
				"none_due_by(string.format('(%.0f', earliest)"),

		SCHEDULE_FORGETS_THAT_A_REPEATED_ID_WAS_EARLIER(Scripts.SCHEDULE,
				"        earliest = math.min(earliest, tonumber(entries[i - 1]))\n"),

		SCHEDULE_DOUBLES_A_REPEATED_ID(Scripts.SCHEDULE, "    drop(id)\n"),

		SCHEDULE_WAKES_NOBODY(Scripts.SCHEDULE, "if wakes then", "if false then"),

		SCHEDULE_OF_OTHER_PARTITIONS_IS_TAKEN(Scripts.SCHEDULE, "(sources or '1') ~= expected", "false"),

		SCHEDULE_REPLACES_WHAT_IS_NOT_OLDER(Scripts.SCHEDULE, "known_generation >= generation(envelope)",
				"known_generation > generation(envelope)"),

		SCHEDULE_FORGETS_THE_GENERATION_OF_A_REPEATED_ID(Scripts.SCHEDULE,
				"if stored and again then known_generation = generation(again) end"),

		SCHEDULE_COMPARES_WITH_THE_FIRST_OF_A_REPEATED_ID(Scripts.SCHEDULE, "planned[id] = envelope",
				"planned[id] = planned[id] or envelope"),

		SCHEDULE_TAKES_ANY_DIGITS_FOR_A_GENERATION(Scripts.SCHEDULE, "digits and #digits == 16 and digits or ''",
				"digits or ''"),

		SCHEDULE_PUTS_A_DEBOUNCED_TASK_OFF_FOR_EVER(DEBOUNCING, "limits[id] or "),

		SCHEDULE_ENDS_A_BURST_OF_ANOTHER_PRIORITY(DEBOUNCING, "local due = find_waiting(id)",
				"local due = redis.call('ZSCORE', index.n, id)"),

		SCHEDULE_FORGETS_THE_LIMIT_OF_A_REPEATED_ID(DEBOUNCING, "if again then return limits[id] end",
				"if again then return end"),

		SCHEDULE_LIMITS_A_FRACTION_OF_A_MILLISECOND_EARLY(DEBOUNCING, "math.min(now_ceil + tonumber(argument)",
				"math.min(now_floor + tonumber(argument)"),

		SCHEDULE_MOVES_BACK_WHAT_IS_OVERDUE(DEBOUNCING, "due = math.min(due, limit)",
				"due = math.max(math.min(due, limit), now_floor)"),

		SCHEDULE_NEW_LOOKS_FOR_NOTHING(NewTaskCalls.class, "schedule_new.lua",
				"if call('HSETNX', tasks, ARGV[first], ARGV[last]) == 0 then return { 1 } end",
				"call('HSET', tasks, ARGV[first], ARGV[last])"),

		SCHEDULE_NEW_LOOKS_FOR_NONE_OF_SEVERAL(NewTaskCalls.class, "schedule_new.lua",
				"if known then return { 1 } end"),

		SCHEDULE_NEW_WAKES_FOR_THE_LAST_OF_SEVERAL(NewTaskCalls.class, "schedule_new.lua", "if due < earliest then",
				"if true then"),

		SCHEDULE_NEW_IS_A_FRACTION_OF_A_MILLISECOND_EARLY(NewTaskCalls.class, "schedule_new.lua",
				"math.min(now_ceil + due, MAX_DUE)", "math.min(now_floor + due, MAX_DUE)"),

		SCHEDULE_NEW_ALLOWS_THE_PAST(NewTaskCalls.class, "schedule_new.lua", "due < now_floor", "false"),

		SCHEDULE_NEW_WAKES_NOBODY(NewTaskCalls.class, "schedule_new.lua", "if not wakes then", "if true then"),

		SCHEDULE_NEW_WAKES_ALTHOUGH_ONE_OF_HIGH_PRIORITY_IS_EARLIER(NewTaskCalls.class, "schedule_new.lua",
				"KEYS[i] == index or call('ZCOUNT', KEYS[i], '-inf', earliest_score) == 0", "true"),

		SCHEDULE_NEW_COUNTS_NOTHING(NewTaskCalls.class, "schedule_new.lua",
				"redis.pcall('HINCRBY', meta, 'scheduled', single and '1' or created) == created", "false"),

		SCHEDULE_NEW_OF_OTHER_PARTITIONS_IS_TAKEN(NewTaskCalls.class, "schedule_new.lua",
				"(sources or '1') ~= expected", "false"),

		PARTITIONS_FORGETS_WHAT_IS_KNOWN(RedisSourceNumbers.class, "sources.lua", "known or redis.call('HLEN'",
				"redis.call('HLEN'"),

		PARTITIONS_TAKES_A_QUEUE_THAT_HAD_TASKS_FOR_FRESH(RedisSourceNumbers.class, "sources.lua",
				" + redis.call('HEXISTS', meta, 'scheduled')", ""),

		PARTITIONS_WRITES_NOTHING(RedisSourceNumbers.class, "sources.lua",
				"redis.call('HSET', meta, 'partitions', number)"),

		CLAIM_IS_A_MILLISECOND_EARLY(Scripts.CLAIM, "local now = math.floor(now_us / 1000)",
				"local now = math.floor(now_us / 1000) + 1"),

		CLAIM_IS_A_FRACTION_OF_A_MILLISECOND_EARLY(Scripts.CLAIM, "local now = math.floor(now_us / 1000)",
				"local now = math.ceil(now_us / 1000)"),

		CLAIM_COUNTS_NO_EXPIRY(Scripts.CLAIM, "expiries + 1, old_priority", "expiries, old_priority"),

		CLAIM_TAKES_MORE_THAN_HALF_OF_EXPIRED_LEASES(Scripts.CLAIM, "math.floor(limit / 2)", "math.ceil(limit / 2)"),

		CLAIM_KEEPS_THE_OLD_TOKEN(Scripts.CLAIM, "redis.call('HSET', deliveries, unpack(new_records))", """
				for i = 1, #new_records, 2 do
				  if not redis.call('HGET', deliveries, new_records[i]) then
				    redis.call('HSET', deliveries, new_records[i], new_records[i + 1])
				  end
				end"""),

		CLAIM_FORGETS_THE_LEASE(Scripts.CLAIM, "redis.call('ZADD', leases, unpack(lease_entries))"),

		CLAIM_PREFERS_LOW(Scripts.CLAIM, "ipairs({ 'h', 'n', 'l' })", "ipairs({ 'l', 'n', 'h' })"),

		CLAIM_GIVES_ALL_THE_DUE_TIME_OF_THE_FIRST(Scripts.CLAIM, "redis.call('ZCOUNT', key, score, score)", "rest"),

		CLAIM_MIXES_UP_DUE_TIMES(Scripts.CLAIM, "scores[known + i / 2] = rest[i]",
				"scores[#window + 1 - i / 2] = rest[i]"),

		CLAIM_READS_DUE_TIMES_FROM_THE_START(Scripts.CLAIM,
				"'ZRANGE', key, rank + known, rank + #window - 1, 'WITHSCORES'",
				"'ZRANGE', key, 0, #window - known - 1, 'WITHSCORES'"),

		CLAIM_TAKES_ONE_FOR_NEW(Scripts.CLAIM, "redis.call('HSTRLEN', deliveries, id) == 0 and", ""),

		CLAIM_TAKES_ONE_WITHOUT_ITS_PRIORITY(Scripts.CLAIM, "('hnl'):sub(only, only)", "'n'"),

		CLAIM_TAKES_ONE_OF_SEVERAL(Scripts.CLAIM, "(pair[4] <= now and 2 or 1)", "1"),

		CLAIM_LEAVES_ONE_IN_ITS_PLACE(Scripts.CLAIM, "key, '0', gone == 1 and '0' or gone - 1)", "key, '1', gone - 1)"),

		CLAIM_REMOVES_ONE_MORE(Scripts.CLAIM, "key, '0', gone == 1 and '0' or gone - 1)", "key, '0', gone)"),

		TEND_TRIMS_ONE_TOO_FEW(RedisRetention.class, "tend.lua", "math.min(surplus, TRIM) - 1",
				"math.max(math.min(surplus, TRIM) - 2, 0)"),

		CLAIM_READS_ONE_SLICE_ONLY(Scripts.CLAIM, "while position < found and",
				"while position == 0 and position < found and"),

		CLAIM_WAKES_TOO_LATE_FOR_A_LEASE(Scripts.CLAIM, "places = { index.h, index.n, index.l, leases }",
				"places = { index.h, index.n, index.l }"),

		CLAIM_TAKES_TWO_LAST_CHANCES(Scripts.CLAIM, "ARGV[10] == '0' and 0 or 1", "ARGV[10] == '0' and 0 or 2"),

		CLAIM_TAKES_A_LAST_CHANCE_UNASKED(Scripts.CLAIM, "ARGV[10] == '0' and 0 or 1", "1"),

		CLAIM_TAKES_WHAT_EXPIRED_FOR_NO_LAST_CHANCE(Scripts.CLAIM,
				"tonumber(string.match(record, '^%d+:(%d+):') or 0) + lost",
				"tonumber(string.match(record, '^%d+:(%d+):') or 0)"),

		CLAIM_LOOKS_BEHIND_NO_LAST_CHANCE(Scripts.CLAIM, "or left >= MOST_LEFT then break end",
				"or true then break end"),

		CLAIM_REMOVES_THE_LAST_CHANCES_IT_LEAVES(Scripts.CLAIM, "redis.call('ZREM', key, unpack(left_before[key]))",
				"redis.call('ZREMRANGEBYRANK', key, '0', gone - 1)"),

		CLAIM_SAYS_THAT_LAST_CHANCES_IT_LEAVES_ARE_DUE(Scripts.CLAIM, "(left > 0 and taken == 0) and", "false and"),

		TEND_FORGETS_A_COMPLETED_TASK_BY_HALF(RedisRetention.class, "tend.lua",
				"redis.call('HDEL', deliveries, unpack(old_completed))"),

		CLAIM_COUNTS_A_LEASE_THAT_RAN_OUT_AS_IN_FLIGHT(IN_FLIGHT,
				"redis.call('ZCOUNT', leases, '(' .. int(now), '+inf')", "redis.call('ZCARD', leases)"),

		CLAIM_TAKES_NO_PERMIT(RATED, "redis.call('HSET', meta, 'rate', int(since))"),

		CLAIM_SAVES_PERMITS_FOR_EVER(RATED, "math.max(since, now_us - interval - SAVED_US)", "since"),

		CLAIM_STANDS_STILL_WHEN_THE_CLOCK_IS_SET_BACK(RATED, "since = now_us - interval --", "since = now_us --"),

		CLAIM_ROUNDS_PERMITS_DOWN(RATED, "math.ceil(taken * rate_us / rate)", "math.floor(taken * rate_us / rate)"),

		CLAIM_DOES_NOT_SAY_THAT_IT_WAS_FULL(IN_FLIGHT, "redis.pcall('HSET', meta, 'full', '1')", "redis.call('TIME')"),

		CLAIM_LETS_NO_PERMIT_BE_WAITED_FOR(RATED, "since + interval - now_us,", ""),

		CLAIM_NOTES_THE_TOTALS_OF_NO_HOUR(Scripts.CLAIM, "hour ~= tonumber(state[5] or 0)", "false"),

		CLAIM_NOTES_THE_TOTALS_OF_A_QUEUE_WITHOUT_TASKS(Scripts.CLAIM, "totals and totals[6]", "totals"),

		CLAIM_LETS_EVERYBODY_TEND(Scripts.CLAIM, "type(redis.pcall('HSET', meta, 'tended', int(now))) == 'number'",
				"true"),

		CLAIM_DOES_NOT_KNOW_WHAT_COMES_NEXT(Scripts.CLAIM, "[rank == 0 and 2 or 4]", "[2]"),

		CLAIM_TAKES_A_FEW_TASKS_FOR_NEW(Scripts.CLAIM, "lost == 1 or #window <= FEW or",
				"lost == 1 or #window > FEW and"),

		SETTLE_COUNTS_HANDLERS_OF_STALE_DELIVERIES(Scripts.SETTLE, "tonumber(arguments[4]) * (n - stale) / n",
				"tonumber(arguments[4])"),

		SETTLE_COUNTS_NO_HANDLER_BESIDE_A_STALE_ONE(Scripts.SETTLE, "tonumber(arguments[4]) * (n - stale) / n",
				"tonumber(arguments[4]) * (stale == 0 and 1 or 0)"),

		SETTLE_COUNTS_NO_LATE_HANDLER(Scripts.SETTLE, "tonumber(arguments[3]) * (n - stale) / n", "0"),

		SETTLE_WAKES_NOBODY_FOR_ITS_ROOM(Scripts.SETTLE, "if makes_room then wakes, earliest = true, 0 end"),

		SETTLE_WAKES_FOR_ITS_ROOM_AGAIN(Scripts.SETTLE, "if makes_room then redis.call('HDEL', meta, 'full') end"),

		SETTLE_WAKES_FOR_NO_ROOM(Scripts.SETTLE, "full and stale < n", "full"),

		SETTLE_ASKS_FOR_NO_TOKEN(Scripts.SETTLE, "if holder ~= token or", "if not holder or"),

		SETTLE_SEES_A_REPEATED_ID_ONCE(Scripts.SETTLE, "or settled[id]", ""),

		SETTLE_FORGETS_THE_FAILURE_OF_A_RETRY(Scripts.SETTLE, "failure ~= '' and action ~= 'keep'",
				"failure ~= '' and action == 'bury'"),

		SETTLE_LEAVES_THE_FAILURE_OF_A_KEPT_TASK(Scripts.SETTLE, "run('HDEL', errors, cleared_errors)"),

		SETTLE_RELEASES_TO_NOW(Scripts.SETTLE, "local at = math.min(tonumber(due), MAX_DUE)", "local at = now_floor"),

		SETTLE_CHARGES_NOTHING(Scripts.SETTLE, "(charge == '1') and int(math.min(failures + 1, MAX_COUNT)) or failures",
				"failures"),

		SETTLE_WAKES_ALTHOUGH_THE_FIRST_IS_DUE(Scripts.SETTLE, "and earliest_before > now_floor", ""),

		SETTLE_COUNTS_WHAT_IS_DROPPED_AS_COMPLETED(Scripts.SETTLE,
				"if action == 'drop' then dropped = dropped + 1 end"),

		SETTLE_REPEATS_A_TASK_WITH_ITS_DELIVERIES(Scripts.SETTLE,
				"if action == 'skip' and charge ~= '1' and expiries ~= '0' then", "if true then"),

		SETTLE_SKIPS_LOST_LEASES(Scripts.SETTLE, "if action == 'skip' and charge ~= '1' and expiries ~= '0' then",
				"if false then"),

		SETTLE_COUNTS_A_REPEATED_TASK_ONLY_AS_COMPLETED(Scripts.SETTLE, "totals.completed + 1, totals.scheduled + 1\n",
				"totals.completed + 1, totals.scheduled\n"),

		SETTLE_LEAVES_THE_FAILURE_OF_A_REPEATED_TASK(Scripts.SETTLE,
				"totals.scheduled + 1\n    add(cleared_errors, id)", "totals.scheduled + 1"),

		SETTLE_MOVES_A_NEXT_TIME_THAT_IS_PAST(Scripts.SETTLE, "local at = math.min(tonumber(delay), MAX_DUE)",
				"local at = math.max(math.min(tonumber(delay), MAX_DUE), now_floor)"),

		SETTLE_COMES_AGAIN_A_FRACTION_OF_A_MILLISECOND_EARLY(Scripts.SETTLE, "math.min(now_ceil + at, MAX_DUE)",
				"math.min(now_floor + at, MAX_DUE)"),

		SETTLE_COUNTS_NO_FAILED_RUN(Scripts.SETTLE, "elseif charge == '1' then", "elseif false then"),

		BEAT_COUNTS_NOTHING(RedisIncarnations.class, "beat.lua", "string.format('%.0f', beat + 1)", "'0'"),

		BEAT_OVERLOOKS_AN_OLDER_COPY(RedisIncarnations.class, "beat.lua", "beat < tonumber(ARGV[3])", "false"),

		BEAT_FORGETS_THE_INCARNATION(RedisIncarnations.class, "beat.lua", "name(state[1]) or incarnation",
				"incarnation"),

		EXTEND_ASKS_FOR_NO_TOKEN(Scripts.EXTEND, "== token then", "then"),

		CANCEL_WAKES_NOBODY_FOR_ITS_ROOM(Scripts.CANCEL, "local makes_room = full and freed > 0",
				"local makes_room = false"),

		CANCEL_TELLS_NO_HOLDER(Scripts.CANCEL, "freed > 0 and tell_holders()", "false"),

		CANCEL_TELLS_HOLDERS_OF_WHAT_WAITS(Scripts.CANCEL, "freed > 0 and tell_holders()", "tell_holders()"),

		CANCEL_MISSES_LOW(Scripts.CANCEL, "local removed = call(", "local removed = key ~= index.l and call("),

		CANCEL_LEAVES_THE_FAILURE(Scripts.CANCEL, "tasks, deliveries, errors }) do redis.call('HDEL'",
				"tasks, deliveries }) do redis.call('HDEL'"),

		RESCHEDULE_ALLOWS_THE_PAST(Scripts.RESCHEDULE, "due = math.max(now_floor, math.min(ms, MAX_DUE))",
				"due = math.min(ms, MAX_DUE)"),

		CANCEL_IGNORES_THE_GENERATION(Scripts.CANCEL, "digits > highest", "false"),

		CANCEL_LEAVES_THE_SAME_GENERATION(Scripts.CANCEL, "digits > highest", "digits >= highest"),

		RESCHEDULE_LEAVES_THE_GENERATION(Scripts.RESCHEDULE,
				"if envelope then redis.call('HSET', tasks, id, envelope) end"),

		RESCHEDULE_MOVES_WHAT_IS_OLDER(Scripts.RESCHEDULE, "old:match('^{\"g\":\"(%d+)\"') ~=",
				"(old:match('^{\"g\":\"(%d+)\"') or 'none') >"),

		RESCHEDULE_ALWAYS_WAKES(Scripts.RESCHEDULE, "if due < earliest and earliest > now_floor then", "if true then"),

		REDRIVE_KEEPS_THE_COUNTS("redrive.lua", "redis.call('HDEL', deliveries, unpack(redriven))"),

		REDRIVE_FORGETS_THE_PRIORITY("redrive.lua", "record and string.match(record, '^%d+:%d+:([hnl]):') or 'n'",
				"'n'"),

		PURGE_LEAVES_THE_FAILURE("purge.lua", "redis.call('HDEL', errors, unpack(ids))"),

		CLEAR_WAKES_NOBODY_FOR_ITS_ROOM("clear.lua", "if makes_room then", "if false then"),

		CLEAR_TELLS_NO_HOLDER("clear.lua", "withdraws and tell_holders()", "false"),

		CLEAR_LEAVES_COMPLETED_TASKS("clear.lua", "dead, completed, tasks, deliveries, errors)",
				"dead, tasks, deliveries, errors)"),

		PAUSE_DOES_NOTHING("pause.lua", "redis.call('HSET', meta, 'paused', '1')"),

		RESUME_WAKES_NOBODY_FOR_A_LEASE("resume.lua", "math.min(first_due(), lease or math.huge)", "first_due()"),

		LIST_IGNORES_THE_PRIORITY("list.lua", "scores[priority] < scores[first]", "scores[priority] <= scores[first]"),

		LIST_ASKED_FOR_NO_ENVELOPES_HAS_THEM("list.lua", "tonumber(ARGV[4] or '')", "nil"),

		LIST_ASKED_FOR_SMALL_ENVELOPES_HAS_LARGE_ONES("list.lua", "value(tasks, task.id, most_bytes, false)",
				"value(tasks, task.id, 1000000, false)"),

		STATS_COUNTS_KEPT_TASKS_AS_RETRYING("stats.lua", "- completed_now - (", "- ("),

		STATS_COUNTS_A_DELAY_THAT_IS_THE_BOUND("stats.lua", "string.format('(%.0f'", "string.format('%.0f'"),

		FORECAST_COUNTS_THE_END_OF_A_BAR("forecast.lua", "string.format('(%.0f'", "string.format('%.0f'"),

		FORECAST_COUNTS_WHAT_IS_DUE_AGAIN("forecast.lua", "local reply = { counted }",
				"local reply = { counted }\n  counted = 0"),

		FORECAST_IS_A_FRACTION_OF_A_MILLISECOND_EARLY("forecast.lua", "math.floor(now_us / 1000)",
				"math.ceil(now_us / 1000)"),

		FORECAST_MISSES_BARS_THAT_ARE_OVER("forecast.lua", "math.max(counted, due_by(", "math.max(0, due_by("),

		HISTORY_FORGETS_THE_PRESENT("history.lua", "lines[#lines + 1] = table.concat(present, ' ')");

		final Script script;

		final String original;

		final String changed;

		ScriptFault(Script script, String original) {
			this(script, original, "");
		}

		/** Of a script that looks at queues or steers them. */
		ScriptFault(String file, String original) {
			this(file, original, "");
		}

		ScriptFault(String file, String original, String changed) {
			this(RedisManagement.class, file, original, changed);
		}

		ScriptFault(Class<?> home, String file, String original) {
			this(home, file, original, "");
		}

		/** Of a script of a part. */
		ScriptFault(Class<?> home, String file, String original, String changed) {
			this(Script.reading(home, file, ""), original, changed);
		}

		ScriptFault(Script script, String original, String changed) {
			this.script = script;
			this.original = original;
			this.changed = changed;
		}

	}

}
