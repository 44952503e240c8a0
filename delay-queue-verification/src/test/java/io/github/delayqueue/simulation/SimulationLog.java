package io.github.delayqueue.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.faults.History;
import io.github.delayqueue.faults.HistoryReader;

/**
 * What all processes of a simulation write down, and on request each call of the store,
 * in the order in which it happens.
 */
final class SimulationLog {

	private final Map<String, List<String>> processes = new HashMap<>();

	private final List<String> all = new ArrayList<>();

	private final boolean complete;

	private final TaskLog tasks = new TaskLog(this);

	/**
	 * Create a log.
	 * @param complete whether to keep all of it, calls of the store included
	 */
	SimulationLog(boolean complete) {
		this.complete = complete;
	}

	/** Whether all is kept. */
	boolean isComplete() {
		return this.complete;
	}

	/** A line of the history of a process. */
	void add(String process, String line) {
		this.processes.computeIfAbsent(process, (name) -> new ArrayList<>()).add(line);
		trace(process, line);
	}

	/** What is no part of its history. */
	void trace(String process, String line) {
		if (this.complete) {
			this.all.add(process + " " + line + "\n");
		}
	}

	/**
	 * A call of the store begins: what it has to do with each task is kept, if all is.
	 * @param request what is asked for, {@code null} if that is about no tasks
	 * @param clock of the store
	 * @return to be told how it goes on
	 */
	TaskLog.Call call(String process, String what, @Nullable String queue, @Nullable Object request,
			LongSupplier clock) {
		return (this.complete && queue != null && request != null)
				? this.tasks.call(process, what, queue, request, clock) : TaskLog.UNKNOWN;
	}

	/** All that was kept. */
	List<String> lines() {
		return this.all;
	}

	History history() {
		HistoryReader reader = new HistoryReader();
		new TreeMap<>(this.processes).forEach(reader::readProcess);
		return reader.finish();
	}

}
