package io.github.delayqueue.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That ids which come twice in a call cost Redis as much as others: it does nothing else
 * meanwhile. The script is called with more tasks than the store ever sends, to make a
 * difference large.
 */
class RepeatedIdsIntegrationTests {

	private static final int TASKS = 3600;

	private static final List<String> PARTS = List.of("", ":high", ":low", ":leases", ":tasks", ":deliveries",
			":errors", ":dead", ":completed", ":meta");

	private final RedisServer server = RedisServer.startNew();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void idsThatComeTwiceCostNoMoreThanOthers() {
		long once = least((task) -> task);
		assertThat(this.server.cli("ZCARD", "{q}")).isEqualTo((long) TASKS);
		long twice = least((task) -> task % (TASKS / 2));
		assertThat(this.server.cli("ZCARD", "{q}")).isEqualTo(TASKS / 2L);
		assertThat(twice).as("in microseconds of the processor").isLessThan(5 * once);
	}

	private long least(IntUnaryOperator idOfTask) {
		return IntStream.range(0, 5).mapToLong((i) -> schedule(idOfTask)).min().orElseThrow();
	}

	/**
	 * Returns the time of the processor that the server has taken for it, which does not
	 * grow when others keep the processor meanwhile.
	 */
	private long schedule(IntUnaryOperator idOfTask) {
		List<String> command = new ArrayList<>(
				List.of("EVAL", Script.SCHEDULE.getScriptAsString(), Integer.toString(PARTS.size())));
		PARTS.forEach((part) -> command.add("{q}" + part));
		command.addAll(List.of("", "{q}:wake", "", "normal", "replace", Integer.toString(TASKS), ""));
		for (int task = 0; task < TASKS; task++) {
			command.addAll(List.of("task-" + idOfTask.applyAsInt(task), "{\"v\":1}"));
		}
		for (int task = 0; task < TASKS; task++) {
			command.add("+" + (60_000 + task));
		}
		this.server.cli("FLUSHALL");
		long before = processorTime();
		this.server.cli(command.toArray(String[]::new));
		return processorTime() - before;
	}

	private long processorTime() {
		Map<String, String> cpu = this.server.info("cpu");
		return Stream.of(cpu.get("used_cpu_user"), cpu.get("used_cpu_sys"))
			.mapToLong((seconds) -> (long) (1e6 * Double.parseDouble(seconds)))
			.sum();
	}

}
