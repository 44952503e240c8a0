package io.github.delayqueue.listener;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.options.ListenerOptionsBuilder;
import io.github.delayqueue.options.QueueOptions;

/**
 * Settings of a listener. Those that are not set come from
 * {@code delay-queue.queues.<name>.*}, then from {@code delay-queue.*}. Immutable.
 *
 * @param id id of the container; {@code null} for a generated one
 * @param own what it sets of the options of its queue
 * @param recurrence when the listener is called with a task of its own. Its id is that of
 * the container. It is there once the container has started. {@code null} for no such
 * task
 */
public record ListenerOptions(@Nullable String id, QueueOptions own, @Nullable Recurrence recurrence) {

	/** Nothing set. */
	public static ListenerOptions defaults() {
		return builder().build();
	}

	/** Start to build options. */
	public static Builder builder() {
		return new Builder();
	}

	/** Builds {@link ListenerOptions}. Not thread-safe. */
	public static final class Builder extends ListenerOptionsBuilder<Builder> {

		private @Nullable String id;

		private @Nullable Recurrence recurrence;

		private Builder() {
		}

		/**
		 * The id, by which the registry knows the container; {@code null} for a generated
		 * one.
		 */
		public Builder id(@Nullable String id) {
			this.id = id;
			return this;
		}

		/**
		 * Set when the listener is called with a recurring task of its own.
		 * @param recurrence when; with a {@linkplain Recurrence#from(Instant) first time}
		 * its steps are counted from that, else from when it is first due. {@code null}
		 * for no such task
		 */
		public Builder recurrence(@Nullable Recurrence recurrence) {
			this.recurrence = recurrence;
			return this;
		}

		/** The options. */
		public ListenerOptions build() {
			return new ListenerOptions(this.id, QueueOptions.of(this), this.recurrence);
		}

	}

}
