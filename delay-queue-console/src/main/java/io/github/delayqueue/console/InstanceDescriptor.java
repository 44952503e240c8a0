package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.fleet.InstanceTrace;

/**
 * An instance of an application that consumes queues, as the endpoint shows it. All times
 * are those of the store. Public because the endpoint returns it.
 *
 * @param id its id, new with each start
 * @param host name of its machine, or container
 * @param application name of the application, {@code null} if it has none
 * @param applicationVersion that of the application, {@code null} if it is not known
 * @param version of the delay queue, {@code null} if it is not known
 * @param seenAt when it last said what it does: if it was shut down, that it is
 * @param listeners its listeners; of one that is not there, those that ran
 */
public record InstanceDescriptor(String id, State state, boolean self, String host, long pid,
		@Nullable String application, @Nullable String applicationVersion, @Nullable String version, Instant startedAt,
		Instant seenAt, List<Listener> listeners) {

	static InstanceDescriptor of(Consumers.Instance instance, String self, @Nullable String queue) {
		InstanceTrace trace = instance.trace();
		return new InstanceDescriptor(instance.id(), State.of(instance), instance.id().equals(self), trace.host(),
				trace.pid(), known(trace.application()), known(trace.applicationVersion()), known(trace.version()),
				instance.at().minus(trace.startedAgo()), instance.at(),
				trace.consumers()
					.stream()
					.filter((consumer) -> queue == null || consumer.queue().equals(queue))
					.map((consumer) -> Listener.of(consumer, instance.at()))
					.toList());
	}

	private static @Nullable String known(String text) {
		return text.isEmpty() ? null : text;
	}

	public enum State {

		RUNNING,

		STOPPED,

		/** It has said nothing for about a minute, nor that it was shut down. */
		GONE;

		private static State of(Consumers.Instance instance) {
			if (instance.alive()) {
				return RUNNING;
			}
			return instance.trace().ended() ? STOPPED : GONE;
		}

	}

	/**
	 * A listener of an instance.
	 *
	 * @param id its id, {@code null} for tasks that are polled by hand
	 * @param running whether it claims, or did until its instance ended
	 * @param concurrency how many tasks (batches) it handles at a time; zero by hand
	 * @param active how many tasks are in handlers, {@code null} if it is not known
	 * @param since when it was started, or stopped
	 * @param lastPollAt when a claim last succeeded, {@code null} if none has
	 * @param calls some of the tasks in its handlers, those that run for longest
	 */
	public record Listener(String queue, @Nullable String id, boolean running, int concurrency,
			@Nullable Integer active, Instant since, @Nullable Instant lastPollAt, List<Call> calls) {

		static Listener of(InstanceTrace.Consumer consumer, Instant at) {
			Duration polledAgo = consumer.polledAgo();
			return new Listener(consumer.queue(), consumer.listener(), consumer.running(), consumer.workers(),
					consumer.active(), at.minus(consumer.since()), (polledAgo != null) ? at.minus(polledAgo) : null,
					consumer.calls().stream().map((call) -> new Call(call.task(), at.minus(call.ran()))).toList());
		}

	}

	/** A task in a handler. */
	public record Call(String task, Instant startedAt) {

	}

}
