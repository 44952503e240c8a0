package io.github.delayqueue.event;

/** The time in which an observation is the current one of a thread. For wiring. */
@FunctionalInterface
public interface ObservedScope {

	/** On the thread that it was opened on. */
	void close();

}
