package io.github.delayqueue.recurring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.options.QueueOptions;

/**
 * Sees to it that the recurring tasks are there that running listeners have of their own.
 * Public for wiring.
 */
public final class ListenerTasks implements ConsumerPart {

	private final Map<Consumer, ListenerTask> tasks = new ConcurrentHashMap<>();

	private Scope scope;

	/**
	 * See to it, now and on this thread, that the tasks of running listeners are there.
	 * They do so themselves when they start; needed only where the store has been emptied
	 * since. Repeating it is harmless.
	 * @param ids says by id which of the listeners are meant
	 * @throws io.github.delayqueue.DelayQueueException if the store cannot be asked
	 */
	public void register(Predicate<String> ids) {
		this.tasks.forEach((consumer, task) -> {
			if (ids.test(consumer.endpoint().id())) {
				task.registerNow();
			}
		});
	}

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public QueueOptions register(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		ListenerTask.check(endpoint);
		return options;
	}

	@Override
	public void register(DelayQueueListenerEndpoint endpoint, QueueOptions options, Consumer other) {
		ListenerTask.check(endpoint, other.endpoint());
	}

	@Override
	public void started(Consumer consumer) {
		Recurrence recurrence = consumer.endpoint().options().recurrence();
		if (recurrence != null) {
			ListenerTask task = new ListenerTask(consumer, recurrence, this.scope);
			this.tasks.put(consumer, task);
			task.start();
		}
	}

	@Override
	public void stopped(Consumer consumer) {
		ListenerTask task = this.tasks.remove(consumer);
		if (task != null) {
			task.stop();
		}
	}

}
