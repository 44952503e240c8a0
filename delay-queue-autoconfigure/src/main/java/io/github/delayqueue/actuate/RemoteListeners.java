package io.github.delayqueue.actuate;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.run.Consumers;
import io.github.delayqueue.run.InstanceOrder;
import io.github.delayqueue.run.InstanceTrace.Consumer;
import io.github.delayqueue.run.Presence;
import io.github.delayqueue.store.TaskStore;

/**
 * The listeners of other instances, to start and stop: an order is left for the instance,
 * and its next trace says whether it has obeyed.
 */
final class RemoteListeners {

	/** It leaves one sooner if it is told, which may fail. */
	static final Duration WAIT = Presence.EVERY.plusSeconds(5);

	private static final long FIRST_LOOK_MILLIS = 250;

	/** Each look reads the traces of all instances. */
	private static final long MAX_LOOK_MILLIS = 2000;

	private final TaskStore store;

	private final Duration wait;

	/**
	 * Each waits on a thread of the web server: JMX, the endpoint over Servlet, WebFlux
	 * and Jersey, and the dashboard have no common way to answer later.
	 */
	private final Looks waiting = new Looks("answers of other instances");

	RemoteListeners(TaskStore store, Duration wait) {
		this.store = store;
		this.wait = wait;
	}

	/**
	 * Start ({@code on}) or stop a listener, and wait until its instance says so.
	 * @return how it is doing afterwards
	 * @throws QueueRequestException if that cannot be, there is no answer, or too many
	 * others are waiting for one
	 */
	QueueDescriptor.Listener turn(String queue, boolean on, String listener, String instance) {
		Consumers.Instance target = find(queue, instance);
		if (listener(target, queue, listener) == null) {
			throw QueueRequestException.notFound(queue,
					name(target) + " has no listener '" + Names.printable(listener) + "' of queue '" + queue + "'");
		}
		if (!target.trace().obeys()) {
			throw QueueRequestException.conflict(queue, name(target) + " takes no orders from others: it has "
					+ "delay-queue.listener.remote-control=false, or an earlier version of the delay queue");
		}
		return this.waiting.take(() -> order(queue, on, listener, target));
	}

	private QueueDescriptor.Listener order(String queue, boolean on, String listener, Consumers.Instance target) {
		this.store.order(target.id(), consumed(target, queue), new InstanceOrder(listener, on).write());
		long begun = System.nanoTime();
		for (long pause = FIRST_LOOK_MILLIS; System.nanoTime() - begun < this.wait.toNanos()
				&& pause(pause); pause = Math.min(2 * pause, MAX_LOOK_MILLIS)) {
			Consumers.Instance latest = find(queue, target.id());
			Consumer state = listener(latest, queue, listener);
			if (latest.at().isAfter(target.at()) && state != null && state.running() == on) {
				return QueueDescriptor.Listener.of(InstanceDescriptor.Listener.of(state, latest.at()));
			}
		}
		throw new QueueRequestException(504, queue,
				name(target) + " has not answered within " + this.wait.toSeconds()
						+ " s. It may have ended; if not, it can still do so within half a minute of the request",
				null);
	}

	private static String name(Consumers.Instance instance) {
		return "Instance '" + Names.printable(instance.trace().host()) + "'";
	}

	private static boolean pause(long millis) {
		try {
			Thread.sleep(millis);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private Consumers.Instance find(String queue, String id) {
		return Consumers.read(this.store)
			.stream()
			.flatMap((consumers) -> consumers.instances().stream())
			.filter((instance) -> instance.alive() && instance.id().equals(id))
			.findFirst()
			.orElseThrow(() -> QueueRequestException.notFound(queue,
					"There is no instance '" + Names.printable(id) + "', or it has ended"));
	}

	private static @Nullable Consumer listener(Consumers.Instance instance, String queue, String id) {
		return instance.trace()
			.consumers()
			.stream()
			.filter((consumer) -> consumer.queue().equals(queue) && id.equals(consumer.listener()))
			.findFirst()
			.orElse(null);
	}

	/** Whose messages reach the instance: a listener that is stopped listens to none. */
	private static @Nullable String consumed(Consumers.Instance instance, String queue) {
		return instance.trace()
			.consumers()
			.stream()
			.filter(Consumer::running)
			.map(Consumer::queue)
			.reduce((first, second) -> second.equals(queue) ? second : first)
			.orElse(null);
	}

}
