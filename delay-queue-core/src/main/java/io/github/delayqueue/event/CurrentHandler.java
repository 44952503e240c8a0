package io.github.delayqueue.event;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Tells the container what the handler on the current thread schedules. For wiring:
 * producers tell, containers listen. Nothing is told of tasks that a handler schedules on
 * other threads, or without waiting.
 */
public final class CurrentHandler {

	private static final ThreadLocal<@Nullable BiConsumer<String, String>> listener = new ThreadLocal<>();

	private CurrentHandler() {
	}

	/**
	 * A handler begins.
	 * @param onScheduled is told queue and id of each task before it is scheduled: it may
	 * replace another one, now or when a transaction has been committed
	 * @return to be given back when it ends
	 */
	public static @Nullable BiConsumer<String, String> enter(BiConsumer<String, String> onScheduled) {
		BiConsumer<String, String> before = listener.get();
		listener.set(onScheduled);
		return before;
	}

	/** A handler has ended. */
	public static void exit(@Nullable BiConsumer<String, String> before) {
		if (before != null) {
			listener.set(before);
		}
		else {
			listener.remove();
		}
	}

	/** A task may be replaced by another one of its id. */
	public static void replaced(String queue, String taskId) {
		BiConsumer<String, String> current = listener.get();
		if (current != null) {
			current.accept(queue, taskId);
		}
	}

}
