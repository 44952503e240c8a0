package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What the checker found.
 */
public final class Findings {

	private final List<Violation> violations = new ArrayList<>();

	private final Map<String, Integer> explained = new TreeMap<>();

	/**
	 * A promise that was not kept.
	 *
	 * @param rule which
	 * @param text how
	 * @param task what happened to the task, made a text of only where it is shown;
	 * {@code null} if it is not about one
	 */
	public record Violation(String rule, String text, @Nullable Object task) {

		@Override
		public String toString() {
			return this.rule + ": " + this.text + ((this.task != null) ? "\n" + this.task : "");
		}

	}

	void violation(String rule, String text, @Nullable Object task) {
		this.violations.add(new Violation(rule, text, task));
	}

	/** A task was handled again, and it is known why. */
	void explained(String why) {
		this.explained.merge(why, 1, Integer::sum);
	}

	public List<Violation> violations() {
		return this.violations;
	}

	Map<String, Integer> explained() {
		return this.explained;
	}

	int redeliveries() {
		return this.explained.values().stream().mapToInt(Integer::intValue).sum();
	}

}
