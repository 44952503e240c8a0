package io.github.delayqueue.benchmark.measure;

import org.jspecify.annotations.Nullable;

/**
 * What a measure gave for a system, in one process.
 *
 * @param measure key of the measure
 * @param system key of the system
 * @param sample what came out, {@code null} if nothing did
 * @param note what the reader has to know, such as why there is no figure
 */
public record Result(String measure, String system, @Nullable Sample sample, @Nullable String note) {

	static Result failed(String measure, String system, Throwable reason) {
		return new Result(measure, system, null, "failed: " + reason);
	}

	public boolean failed() {
		return this.note != null && this.note.startsWith("failed");
	}

	/**
	 * The result in a line, for a terminal.
	 * @return names and values
	 */
	public String text() {
		return this.measure + " of " + this.system + ": " + ((this.sample != null) ? this.sample.text() : this.note);
	}

}
