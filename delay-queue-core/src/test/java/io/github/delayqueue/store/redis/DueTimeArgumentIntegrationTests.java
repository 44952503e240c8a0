package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;

import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.sharing.NewTaskCalls;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.TaskPart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Due times as others write them, who call the scripts from their language: what is none
 * is refused before anything is written.
 */
class DueTimeArgumentIntegrationTests extends AbstractSeededQueueIntegrationTests {

	private static final String NOW_MICROS = "10000000";

	private static final Script SCHEDULE_NEW = Script.writing(NewTaskCalls.class, "schedule_new.lua", "schedule in",
			QueueKey.NORMAL, QueueKey.HIGH, QueueKey.LOW, QueueKey.TASKS, QueueKey.META);

	private static final Script DEBOUNCING = Scripts.SCHEDULE.with(Map.of(Debounce.class, "debounce"));

	@BeforeEach
	void seedWhatMustNotGetLost() {
		this.keyspace.seed("", "a", "20000").seed(":tasks", "a", "A").seed(":meta", "scheduled", "1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "+NaN", "NaN", "nan", "-nan", "+-nan", "+inf", "inf", "Infinity", "+1e999", "+1.5",
			"20000.5", "+", "+x", "+30m", "30m", "+-", "+undefined" })
	void isRefusedIfItIsNoTime(String due) {
		assertRefused(Scripts.SCHEDULE, schedule(due));
		assertRefused(Scripts.SCHEDULE, scheduleApart("30000", due));
		assertRefused(Scripts.RESCHEDULE, reschedule(due));
		assertRefused(SCHEDULE_NEW, scheduleNew("30000", due));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			+5000<, {}, replace
			+5000<x, {}, replace
			+5000<-1, {}, replace
			+5000<6000.5, {}, replace
			+5.5<6000, {}, replace
			5000<6000, {}, replace
			<6000, {}, replace
			'+0,+5000<6000', {}, replace
			+5000<6000, new, replace
			+5000<6000, '', replace
			+5000<6000, {}, newer
			""")
	void isRefusedIfItDebouncesWhatCannotBe(String due, String envelope, String policy) {
		assertRefused(DEBOUNCING,
				schedule(due, (policy.equals("newer") ? "{\"g\":\"0000000000000001\"}" : envelope), policy));
	}

	@Test
	void isRefusedWhereNothingIsDebounced() {
		assertRefused(Scripts.SCHEDULE, schedule("+5000<6000"));
		assertRefused(Scripts.RESCHEDULE, reschedule("+5000<6000"));
		assertRefused(SCHEDULE_NEW, scheduleNew("+5000<6000", "30000"));
	}

	/** A part of which neither this package nor its scripts know. */
	@Test
	void hasBehindItWhatAPartWants() {
		TaskPart planted = new TaskPart() {

			@Override
			public String name() {
				return "group";
			}

			@Override
			public String argument() {
				return "@tenant-42";
			}

		};
		NewTask task = Tasks.with(planted, Tasks.task("a", Duration.ofSeconds(5)));
		assertThat(ScriptCall.text(task)).isEqualTo("+5000@tenant-42");
		assertRefused(Scripts.SCHEDULE, schedule(ScriptCall.text(task), "{}", "replace"));
	}

	@Test
	void ofADebouncedTaskIsKeptInItsEnvelope() {
		call(DEBOUNCING, schedule("+5000<6000", "{\"v\":1}", "replace"));
		assertThat(this.keyspace.dump()).contains("base a=15000", "tasks a={\"l\":\"000000000016000\",\"v\":1}");
		call(DEBOUNCING, schedule("+7000<8000", "{\"v\":1,\"p\":2}", "replace"));
		assertThat(this.keyspace.dump()).contains("base a=16000",
				"tasks a={\"l\":\"000000000016000\",\"v\":1,\"p\":2}");
		this.keyspace.assertInvariant();
	}

	/** As anybody may have written it. */
	@ParameterizedTest
	@ValueSource(strings = { "{\"l\":\"00000000012000\",\"v\":1}", "{\"l\":\"0000000000012000\",\"v\":1}",
			"{\"v\":1,\"l\":\"000000000012000\"}", "{\"l\":\"00000000001x000\",\"v\":1}",
			"{\"g\":\"0000000000000001\",\"l\":\"000000000012000\",\"v\":1}" })
	void goesByNoLimitThatOnlyLooksLikeOne(String envelope) {
		this.keyspace.seed("", "a", "11000").seed(":tasks", "a", envelope);
		call(DEBOUNCING, schedule("+5000<6000", "{\"v\":1}", "replace"));
		assertThat(this.keyspace.dump()).contains("base a=15000", "tasks a={\"l\":\"000000000016000\",\"v\":1}");
	}

	@Test
	void isRefusedIfItIsMissing() {
		assertRefused(Scripts.SCHEDULE, scheduleApart("30000", ""));
		assertRefused(Scripts.RESCHEDULE, reschedule(""));
		assertRefused(SCHEDULE_NEW, scheduleNew("30000", ""));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			+0, 10000
			+1, 10001
			+-5000, 10000
			-5000, 10000
			0, 10000
			9999, 10000
			+1e3, 11000
			3e4, 30000
			0x7530, 30000
			' 30000', 30000
			'30000 ', 30000
			030000, 30000
			+99999999999999999999, 253402300799999
			99999999999999999999, 253402300799999
			1e300, 253402300799999
			253402300799999, 253402300799999
			253402300800000, 253402300799999
			""")
	void isTheSameHoweverItIsWritten(String due, String expected) {
		call(Scripts.SCHEDULE, schedule(due));
		assertThat(this.keyspace.dump()).contains("base a=" + expected, "tasks a=new");
		this.keyspace.seed("", "a", "20000");
		call(Scripts.RESCHEDULE, reschedule(due));
		assertThat(this.keyspace.dump()).contains("base a=" + expected);
		this.keyspace.assertInvariant();
	}

	private void assertRefused(Script script, List<String> arguments) {
		List<String> before = this.keyspace.dump();
		assertThatException().as(script.toString()).isThrownBy(() -> call(script, arguments));
		assertThat(this.keyspace.dump()).as(script.toString()).isEqualTo(before);
	}

	private void call(Script script, List<String> arguments) {
		ScriptCall call = new ScriptCall(script, this.queue, script.keys(new RedisKeys(PREFIX), this.queue));
		arguments.forEach((argument) -> call.add(argument));
		try (RedisConnection connection = connections.getConnection()) {
			connection.scriptingCommands().eval(script.text(), ReturnType.MULTI, call.keys(), call.keysAndArguments());
		}
	}

	private List<String> schedule(String due) {
		return schedule(due, "new", "replace");
	}

	private List<String> schedule(String due, String envelope, String policy) {
		return List.of(NOW_MICROS, key(":wake"), "1", "normal", policy, "1", due, "a", envelope);
	}

	/** Of two tasks the second, which is known. */
	private List<String> scheduleApart(String first, String second) {
		return List.of(NOW_MICROS, key(":wake"), "1", "normal", "replace", "2", "", "b", "new", "a", "new", first,
				second);
	}

	private List<String> scheduleNew(String first, String second) {
		List<String> arguments = new ArrayList<>(List.of(NOW_MICROS, key(":wake"), "1", "1", ""));
		arguments.addAll(List.of("b", "new", "c", "new", first, second));
		return arguments;
	}

	private List<String> reschedule(String due) {
		return List.of(NOW_MICROS, key(":wake"), "a", due);
	}

}
