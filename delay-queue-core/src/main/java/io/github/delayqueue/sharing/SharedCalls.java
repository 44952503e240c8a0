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
		WaitingCaller waiting = new WaitingCaller(part, sender);
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
		WaitingCaller next = lane.first();
		if (next == null) {
			return null;
		}
		SharedCall call = new SharedCall(Math.min(lane.waiting.size(), MAX_PARTS));
		int bytes = 0;
		do {
			call.add(lane.waiting.remove());
			bytes += next.bytes();
			next = lane.first();
		}
		while (next != null && call.parts.size() < MAX_PARTS && bytes + next.bytes() <= MAX_BYTES);
		return call;
	}

	/** Calls that can be made together. */
	private static final class CallLane {

		private final Deque<WaitingCaller> waiting = new ArrayDeque<>();

		private int underWay;

		/** Who is the first to wait, without those who have given up. */
		private @Nullable WaitingCaller first() {
			while (!this.waiting.isEmpty() && this.waiting.element().isDone()) {
				this.waiting.remove();
			}
			return this.waiting.peek();
		}

	}

	/** A caller, and the answer to it. */
	private static final class WaitingCaller extends CompletableFuture<List<?>> {

		private final NewTask part;

		private final Function<List<NewTask>, CompletableFuture<List<?>>> sender;

		/** Set when it is to be made. */
		private volatile @Nullable SharedCall call;

		WaitingCaller(NewTask part, Function<List<NewTask>, CompletableFuture<List<?>>> sender) {
			this.part = part;
			this.sender = sender;
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			SharedCall call = this.call;
			if (cancelled && call != null) {
				call.endIfUnwanted();
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

		private volatile @Nullable CompletableFuture<List<?>> reply;

		SharedCall(int size) {
			this.callers = new ArrayList<>(size);
			this.parts = new ArrayList<>(size);
		}

		/** Holding the lock of the lanes. */
		void add(WaitingCaller caller) {
			this.callers.add(caller);
			this.parts.add(caller.part);
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
			this.reply = reply;
			endIfUnwanted();
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
		void endIfUnwanted() {
			CompletableFuture<List<?>> reply = this.reply;
			boolean unwanted = reply != null;
			for (int i = 0; unwanted && i < this.callers.size(); i++) {
				unwanted = this.callers.get(i).isCancelled();
			}
			if (unwanted) {
				reply.cancel(false);
			}
		}

	}

}
