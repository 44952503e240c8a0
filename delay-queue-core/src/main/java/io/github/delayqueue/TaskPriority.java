package io.github.delayqueue;

/**
 * Which of the tasks that are due is delivered first. Priority does not change when a
 * task is due. One claim in eight takes the oldest tasks whatever their priority, so that
 * a permanent load of {@link #HIGH} does not starve {@link #LOW}.
 */
public enum TaskPriority {

	/** Delivered before all others that are due. */
	HIGH,

	/** The default. */
	NORMAL,

	/** Delivered when nothing else is due. */
	LOW

}
