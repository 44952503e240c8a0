package io.github.delayqueue.sharing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.NewTask;

/**
 * Lets calls that many threads make at the same time share calls of the server: while two
 * are under way, others of the same <i>lane</i> are collected. The thread of the driver
 * that takes the next answer sends them together. A call that finds fewer under way goes
 * out at once, by the thread that makes it. Thread-safe.
 * <p>
 * All callers of a shared call learn the same answer, or the same error. Each of them
 * decides on its own. One that gives up waiting takes its part along if that has not been
 * sent, and disturbs nobody else.
 */
final class SharedCalls {

	/**
	 * One would leave the server idle while an answer is taken up; with more, fewer share
	 * a call.
	 */
	static final int MAX_UNDER_WAY = 2;

	static final int MAX_PARTS = 100;

	/** So much may be sent together by calls of which each alone is smaller. */
	static final int MAX_BYTES = 64 * 1024;

	private final Map<Object, CallLane> lanes = new HashMap<>();

	/**
	 * Send a task, alone or with others.
	 * @param key what tasks must have in common to be sent together
	 * @param sender sends tasks in one call; may be called by a thread of the driver, and
	 * for tasks of others as well
	 * @return the reply; to be cancelled by who gives up waiting
	 */
	CompletableFuture<List<?>> send(Object key, NewTask part,
			Function<List<NewTask>, CompletableFuture<List<?>>> sender) {
		WaitingCaller waiting = new WaitingCaller(key, part, sender);
		SharedCall call = enter(key, waiting);
		if (call != null) {
			send(key, call);
		}
		return waiting;
	}

	/** The call to make, {@code null} where somebody else will. */
	private synchronized @Nullable SharedCall enter(Object key, WaitingCaller waiting) {
		CallLane lane = this.lanes.computeIfAbsent(key, (name) -> new CallLane());
		if (lane.underWay >= MAX_UNDER_WAY) {
			lane.waiting.add(waiting);
			return null;
		}
		SharedCall call = new SharedCall(1);
		call.add(waiting);
		lane.underWay++;
		return call;
	}

	/** Make a call, and others as long as each of them ends at once. */
	private void send(Object key, SharedCall first) {
		for (SharedCall next = first; next != null;) {
			SharedCall call = next;
			CompletableFuture<List<?>> reply = call.send();
			if (!reply.isDone()) {
				reply.whenComplete((answer, error) -> answered(key, call, answer, error));
				return;
			}
			reply.whenComplete(call::complete);
			next = leave(key);
		}
	}

	/**
	 * What has waited goes last: with it goes what those who got the answer have come
	 * with meanwhile.
	 */
	private void answered(Object key, SharedCall call, @Nullable List<?> answer, @Nullable Throwable error) {
		try {
			call.complete(answer, error);
		}
		finally {
			SharedCall next = leave(key);
			if (next != null) {
				send(key, next);
			}
		}
	}

	/** What is to be sent now that a call has ended. */
	private synchronized @Nullable SharedCall leave(Object key) {
		CallLane lane = Objects.requireNonNull(this.lanes.get(key));
		SharedCall call = null;
		try {
			call = take(lane);
		}
		finally {
			// also where there is no memory: whoever comes next goes on
			if (call == null && --lane.underWay == 0 && lane.waiting.isEmpty()) {
				this.lanes.remove(key);
			}
		}
		return call;
	}

	private static @Nullable SharedCall take(CallLane lane) {
		if (lane.waiting.isEmpty()) {
			return null;
		}
		SharedCall call = new SharedCall(Math.min(lane.waiting.size(), MAX_PARTS));
		int bytes = 0;
		int parts = 0;
		do {
			WaitingCaller next = lane.waiting.remove();
			bytes += next.bytes();
			parts++;
			call.add(next);
		}
		while (!lane.waiting.isEmpty() && parts < MAX_PARTS && bytes + lane.waiting.element().bytes() <= MAX_BYTES);
		return call;
	}

	private void giveUp(WaitingCaller waiting) {
		SharedCall call;
		synchronized (this) {
			call = waiting.call;
			CallLane lane = this.lanes.get(waiting.key);
			if (call == null && lane != null) {
				lane.waiting.remove(waiting);
			}
		}
		if (call != null) {
			call.giveUp();
		}
	}

	/** Calls that can be made together. */
	private static final class CallLane {

		private final Deque<WaitingCaller> waiting = new ArrayDeque<>();

		private int underWay;

	}

	/** A caller, and the answer to it. */
	private final class WaitingCaller extends CompletableFuture<List<?>> {

		private final Object key;

		private final NewTask part;

		private final Function<List<NewTask>, CompletableFuture<List<?>>> sender;

		/** Set when it is to be made. */
		private @Nullable SharedCall call;

		WaitingCaller(Object key, NewTask part, Function<List<NewTask>, CompletableFuture<List<?>>> sender) {
			this.key = key;
			this.part = part;
			this.sender = sender;
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			if (cancelled) {
				giveUp(this);
			}
			return cancelled;
		}

		private int bytes() {
			return this.part.envelope().length;
		}

	}

	/** A call of the server. */
	private static final class SharedCall {

		private final List<WaitingCaller> callers;

		private final List<NewTask> parts;

		private int interested;

		private @Nullable CompletableFuture<List<?>> reply;

		SharedCall(int size) {
			this.callers = new ArrayList<>(size);
			this.parts = new ArrayList<>(size);
		}

		/** Holding the lock of the lanes. */
		void add(WaitingCaller caller) {
			this.callers.add(caller);
			this.parts.add(caller.part);
			this.interested++;
			caller.call = this;
		}

		CompletableFuture<List<?>> send() {
			CompletableFuture<List<?>> reply;
			try {
				reply = this.callers.get(0).sender.apply(this.parts);
			}
			catch (Throwable ex) {
				reply = CompletableFuture.failedFuture(ex);
			}
			boolean unwanted;
			synchronized (this) {
				this.reply = reply;
				unwanted = this.interested == 0;
			}
			if (unwanted) {
				reply.cancel(false);
			}
			return reply;
		}

		void complete(@Nullable List<?> answer, @Nullable Throwable error) {
			for (WaitingCaller caller : this.callers) {
				if (error != null) {
					caller.completeExceptionally(error);
				}
				else {
					caller.complete(answer);
				}
			}
		}

		/** When the last has given up, nobody waits for an answer any more. */
		void giveUp() {
			CompletableFuture<List<?>> reply;
			synchronized (this) {
				reply = (--this.interested == 0) ? this.reply : null;
			}
			if (reply != null) {
				reply.cancel(false);
			}
		}

	}

}
