package io.github.delayqueue.sample.state;

import org.jspecify.annotations.Nullable;

/**
 * What became of a record that was to be changed.
 *
 * @param before as it was, {@code null} if there was none
 * @param after as it is now
 * @param <T> type of the record
 */
public record Change<T>(@Nullable T before, T after) {

	/**
	 * Whether this call changed the record. {@code false} means that there was nothing
	 * left to do: what is called twice, as every handler may be, has its effect once.
	 * @return whether it is another one now
	 */
	public boolean happened() {
		return !this.after.equals(this.before);
	}

}
