package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.TaskStore;

/**
 * A feature that hangs on the consumers of an application, and can be left out. The
 * registry tells it about them, and asks for the little that it may say. A part that is a
 * {@link io.github.delayqueue.event.TaskEventListener} hears the events of their tasks as
 * well. It takes its time from {@link ContainerThreads}: what must not wait behind work
 * from {@link ContainerThreads#watch()}. No method may block, but for a second the one
 * that is told when all have stopped; those without a declared exception throw nothing.
 * For wiring. Thread-safe.
 */
public interface ConsumerPart {

	/**
	 * The surroundings of a part. {@code events} are those of the tasks of all consumers.
	 *
	 * @param consumers the consumers there are, and those that are unregistered and may
	 * still hold leases
	 */
	record Scope(TaskStore store, TaskCodec codec, TaskEvents events, ContainerThreads threads,
			Supplier<List<Consumer>> consumers) {

	}

	/** A container, as parts see it. */
	interface Consumer {

		/** The endpoint that was registered. */
		DelayQueueListenerEndpoint endpoint();

		/** The options in force. */
		QueueOptions options();

		/** The names of its sources in the store: its queue, and perhaps more. */
		Collection<String> sources();

		/** Whether it claims. */
		boolean isRunning();

		/** How it is doing. */
		ContainerStatus status();

		/**
		 * The tasks that have been in its handlers for longest, and for how long.
		 * @param most how many calls, and how many tasks of each
		 */
		Map<String, Duration> longest(int most);

		/** When it began to claim, or ended, of the local monotonic clock. */
		long changedAt();

	}

	/** Told once, before anything else. */
	default void join(Scope scope) {
	}

	/**
	 * A listener is to be registered.
	 * @param options those it would have
	 * @return those it has
	 * @throws InvalidListenerException if it cannot be
	 */
	default QueueOptions register(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		return options;
	}

	/**
	 * A listener is to be registered for a queue that has another one.
	 * @throws InvalidListenerException if it cannot be
	 */
	default void register(DelayQueueListenerEndpoint endpoint, QueueOptions options, Consumer other) {
	}

	/**
	 * A listener is about to be registered: what its container calls.
	 * @param endpoint with what the parts before have put around its handler
	 */
	default DelayQueueListenerEndpoint around(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		return endpoint;
	}

	/** The registry is about to start. An exception fails the start. */
	default void starting() {
	}

	/**
	 * The registry starts. Told before any consumer does, and for each that is registered
	 * later.
	 * @param anew whether no consumer holds anything: this process may be a copy of
	 * another one
	 */
	default void begin(boolean anew) {
	}

	/** A consumer is about to claim. */
	default void started(Consumer consumer) {
	}

	/**
	 * A consumer has claimed.
	 * @param result what the store has answered, {@code null} if it was not asked because
	 * no worker is free
	 */
	default void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
	}

	/**
	 * A claim of a consumer has failed. The store may have carried it out all the same.
	 */
	default void failed(Consumer consumer, String source, String token) {
	}

	/** A consumer holds tasks: told several times a second. */
	default void ticked(Consumer consumer) {
	}

	/** A consumer claims no more. The tasks that it holds go on. */
	default void stopped(Consumer consumer) {
	}

	/** The registry stops: all consumers are about to. */
	default void stopping() {
	}

	/**
	 * All consumers have stopped. A last word may be waited for, a second at most.
	 * @param empty whether they hold nothing
	 */
	default void stopped(boolean empty) {
	}

	/** The application ends: no consumer can settle anything any more. */
	default void end() {
	}

	/** The guard of the claims of a container, {@code null} for none. */
	default @Nullable ClaimGuard guard(QueueOptions options) {
		return null;
	}

	/** The pace of the claims from one source, {@code null} for on time. */
	default @Nullable ClaimPace pace() {
		return null;
	}

	/** The beginning of the tokens of claims, empty for none. */
	default String tokenPrefix() {
		return "";
	}

	/** The id under which other instances see this one, empty if they do not. */
	default String instance() {
		return "";
	}

}
