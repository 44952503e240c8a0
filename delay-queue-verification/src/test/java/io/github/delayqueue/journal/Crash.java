package io.github.delayqueue.journal;

/**
 * The process dies here: nothing of what would have followed happens. Not an exception,
 * which the product might handle.
 */
@SuppressWarnings("serial")
final class Crash extends Error {

	Crash() {
		super("the process dies", null, false, false);
	}

}
