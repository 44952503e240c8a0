package io.github.delayqueue.store.redis;

import java.util.List;
import java.util.function.Function;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.store.ScheduleReply;

/**
 * Runs a script that schedules, and waits until others than the primary have what it
 * wrote. A part does. Thread-safe.
 */
public interface ConfirmedStep {

	/** How many others a queue, or a source of one, asks for; zero for none. */
	int wanted(String source);

	/**
	 * Run the script, and wait, both together for at most the command timeout.
	 * @param reader reads the reply of the script
	 */
	ScheduleReply run(ScriptCall call, Function<List<?>, List<ScheduleOutcome>> reader, int wanted);

}
