package io.github.delayqueue.event;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.util.function.SingletonSupplier;

/** Passes events on to all listeners. Public for wiring. */
public final class TaskEvents implements AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(TaskEvents.class);

	/** Passes events on to nobody. */
	public static final TaskEvents NONE = new TaskEvents(List.of());

	private final Supplier<TaskEventListener[]> listeners;

	private final TaskObserver observer;

	public TaskEvents(Collection<? extends TaskEventListener> listeners) {
		this(() -> listeners, TaskObserver.NONE);
	}

	/**
	 * Pass events on to listeners that are asked for with the first event, so that they
	 * may depend on what publishes events: one that schedules a task, for instance.
	 * @param listeners returns the listeners, called until it has succeeded once
	 * @param observer looks on
	 */
	public TaskEvents(Supplier<? extends Collection<? extends TaskEventListener>> listeners, TaskObserver observer) {
		this.observer = observer;
		this.listeners = SingletonSupplier.of(() -> listeners.get().toArray(TaskEventListener[]::new));
	}

	/** Pass events on to one more listener, told after the others. */
	public TaskEvents with(TaskEventListener added) {
		return new TaskEvents(() -> Stream.concat(Stream.of(this.listeners.get()), Stream.of(added)).toList(),
				this.observer);
	}

	/** The observer of scheduling and handling. */
	public TaskObserver observer() {
		return this.observer;
	}

	/** Tell every listener. */
	public void publish(Consumer<TaskEventListener> event) {
		for (TaskEventListener listener : listeners()) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A listener for task events failed; the task is not affected ({})",
						listener.getClass().getName(), ex);
			}
		}
	}

	private TaskEventListener[] listeners() {
		try {
			return this.listeners.get();
		}
		catch (RuntimeException ex) {
			logger.warn("The listeners for task events are not available; the task is not affected", ex);
			return new TaskEventListener[0];
		}
	}

}
