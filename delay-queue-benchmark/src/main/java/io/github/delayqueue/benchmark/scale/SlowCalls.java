package io.github.delayqueue.benchmark.scale;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What has taken long in the steps of a run, in few words.
 */
public final class SlowCalls {

	private final List<String> steps = new ArrayList<>();

	private int count;

	/**
	 * Add what was slow in a step.
	 * @param step what was done
	 * @param calls the slow ones
	 * @return in words, empty if there are none
	 */
	String add(String step, List<SlowCall> calls) {
		if (calls.isEmpty()) {
			return "";
		}
		this.count += calls.size();
		SlowCall longest = calls.stream().max(Comparator.comparingDouble(SlowCall::millis)).orElseThrow();
		String words = (calls.size() > 1) ? calls.size() + ", the longest " + longest : longest.toString();
		this.steps.add(step + ": " + words);
		return words;
	}

	public int count() {
		return this.count;
	}

	/**
	 * How many in which step, and the longest.
	 * @return what a person reads, empty if nothing was slow
	 */
	public String text() {
		return String.join("; ", this.steps);
	}

}
