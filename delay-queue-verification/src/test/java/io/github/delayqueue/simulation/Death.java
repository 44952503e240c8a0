package io.github.delayqueue.simulation;

/**
 * Thrown where a process has died that would go on otherwise: the code of it that is
 * still on a stack can do nothing any more.
 */
@SuppressWarnings("serial")
final class Death extends Error {

	Death() {
		super("The process has died", null, false, false);
	}

}
