package io.github.delayqueue.event;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events on to all listeners. Public for wiring.
 */
public final class TaskEvents {

	private static final Logger logger = LoggerFactory.getLogger(TaskEvents.class);

	/** Passes events on to nobody. */
	public static final TaskEvents NONE = new TaskEvents(List.of());

	private final TaskEventListener[] listeners;

	public TaskEvents(Collection<? extends TaskEventListener> listeners) {
		this.listeners = listeners.toArray(TaskEventListener[]::new);
	}

	/**
	 * Tell every listener.
	 * @param event the call to make
	 */
	public void publish(Consumer<TaskEventListener> event) {
		for (TaskEventListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A listener for task events failed; the task is not affected ({})",
						listener.getClass().getName(), ex);
			}
		}
	}

}
