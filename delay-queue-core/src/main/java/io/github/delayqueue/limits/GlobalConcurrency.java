package io.github.delayqueue.limits;

import io.github.delayqueue.options.Option;
import io.github.delayqueue.store.ClaimPart;

/**
 * How many tasks of a queue all consumers together may have in flight. A task whose lease
 * has run out is not counted, so that dead consumers block no other. Immutable.
 * <p>
 * The end of a delivery wakes the consumers of a queue that has reached it. Should they
 * miss that, they come when the next lease runs out.
 *
 * @param most how many tasks, at least 1
 */
public record GlobalConcurrency(int most) implements ClaimPart {

	/** By default any number. */
	public static final Option<GlobalConcurrency> OPTION = Option
		.<GlobalConcurrency>of("global-concurrency", GlobalConcurrency.class, null)
		.readBy((value) -> new GlobalConcurrency((Integer) value));

	public GlobalConcurrency {
		if (most < 1) {
			throw new IllegalArgumentException("it must be at least 1");
		}
	}

	@Override
	public String name() {
		return "global_concurrency";
	}

	@Override
	public String argument() {
		return toString();
	}

	/** As many as the others or one more, so that all shares together are the whole. */
	@Override
	public GlobalConcurrency share(int number, int sources) {
		return new GlobalConcurrency((this.most + sources - 1 - number) / sources);
	}

	@Override
	public boolean countsInFlight() {
		return true;
	}

	@Override
	public String toString() {
		return Integer.toString(this.most);
	}

}
