package io.github.delayqueue.benchmark.report;

import org.jspecify.annotations.Nullable;

/**
 * What the delay queue has to show, and whether it does.
 *
 * @param name what
 * @param required what it has to be
 * @param measured what it is, {@code null} if it was not measured
 * @param passed whether that is enough
 * @param fatal whether the build fails where it is not
 */
public record Check(String name, String required, @Nullable String measured, boolean passed, boolean fatal) {

	/**
	 * In a word.
	 * @return whether it is met
	 */
	public String verdict() {
		return (this.measured == null) ? "not measured" : this.passed ? "met" : "missed";
	}

	boolean missed() {
		return this.measured != null && !this.passed;
	}

}
