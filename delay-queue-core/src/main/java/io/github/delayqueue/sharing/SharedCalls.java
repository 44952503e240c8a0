package io.github.delayqueue.sharing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.support.PersistenceExceptionTranslator;

import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Lets calls that many threads make at the same time share calls of the server: while
 * {@value #MAX_UNDER_WAY} are under way, others of the same <i>lane</i> are collected,
 * and the thread of the driver that takes the next answer sends them together. A call
 * that finds fewer under way goes out at once, by the thread that makes it. Thread-safe.
 * <p>
 * All callers of a shared call learn the same answer, or the same error; what is to be
 * done about it is up to each of them. One that gives up waiting takes its part along if
 * that has not been sent, and disturbs nobody else.
 *
 * @param <L> what calls must have in common to be sent together
 * @param <T> the part of one caller
 */
final class SharedCalls<L, T> {

	/**
	 * One would leave the server idle while an answer is taken up; with more, fewer share
	 * a call.
	 */
	static final int MAX_UNDER_WAY = 2;

	static final int MAX_PARTS = 100;

	/** So much may be sent together by calls of which each alone is smaller. */
	static final int MAX_BYTES = 64 * 1024;

	private final Duration timeout;

	private final PersistenceExceptionTranslator drivers;

	private final Map<L, CallLane<T>> lanes = new HashMap<>();

	/**
	 * Create, with nothing under way.
	 * @param timeout how long a caller waits
	 * @param drivers see {@link ScriptRunner#await}
	 */
	SharedCalls(Duration timeout, PersistenceExceptionTranslator drivers) {
		this.timeout = timeout;
		this.drivers = drivers;
	}

	/**
	 * Send a part, alone or with others.
	 * @param sender sends parts in one call; may be called by a thread of the driver, and
	 * for parts of others as well
	 * @return waits for the result and returns it; to be called in any case
	 */
	Supplier<List<?>> send(L key, T part, int bytes, Function<List<T>, CompletableFuture<List<?>>> sender) {
		WaitingCaller<T> waiting = new WaitingCaller<>(part, bytes, sender);
		SharedCall<T> call = enter(key, waiting);
		if (call != null) {
			send(key, call);
		}
		long deadline = System.nanoTime() + this.timeout.toNanos();
		return () -> await(key, waiting, deadline);
	}

	/** The call to make, {@code null} where somebody else will. */
	private synchronized @Nullable SharedCall<T> enter(L key, WaitingCaller<T> waiting) {
		CallLane<T> lane = this.lanes.computeIfAbsent(key, (name) -> new CallLane<>());
		if (lane.underWay >= MAX_UNDER_WAY) {
			lane.waiting.add(waiting);
			return null;
		}
		SharedCall<T> call = new SharedCall<>(1);
		call.add(waiting);
		lane.underWay++;
		return call;
	}

	/** Make a call, and others as long as each of them ends at once. */
	private void send(L key, SharedCall<T> first) {
		for (SharedCall<T> next = first; next != null;) {
			SharedCall<T> call = next;
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
	private void answered(L key, SharedCall<T> call, @Nullable List<?> answer, @Nullable Throwable error) {
		try {
			call.complete(answer, error);
		}
		finally {
			SharedCall<T> next = leave(key);
			if (next != null) {
				send(key, next);
			}
		}
	}

	/** What is to be sent now that a call has ended. */
	private synchronized @Nullable SharedCall<T> leave(L key) {
		CallLane<T> lane = Objects.requireNonNull(this.lanes.get(key));
		SharedCall<T> call = null;
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

	private static <T> @Nullable SharedCall<T> take(CallLane<T> lane) {
		if (lane.waiting.isEmpty()) {
			return null;
		}
		SharedCall<T> call = new SharedCall<>(Math.min(lane.waiting.size(), MAX_PARTS));
		int bytes = 0;
		int parts = 0;
		do {
			WaitingCaller<T> next = lane.waiting.remove();
			bytes += next.bytes;
			parts++;
			call.add(next);
		}
		while (!lane.waiting.isEmpty() && parts < MAX_PARTS && bytes + lane.waiting.element().bytes <= MAX_BYTES);
		return call;
	}

	private List<?> await(L key, WaitingCaller<T> waiting, long deadline) {
		try {
			return ScriptRunner.await(waiting.answer, Duration.ofNanos(deadline - System.nanoTime()), this.drivers);
		}
		finally {
			if (!waiting.answer.isDone() || waiting.answer.isCancelled()) {
				giveUp(key, waiting);
			}
		}
	}

	private void giveUp(L key, WaitingCaller<T> waiting) {
		SharedCall<T> call;
		synchronized (this) {
			call = waiting.call;
			CallLane<T> lane = this.lanes.get(key);
			if (call == null && lane != null) {
				lane.waiting.remove(waiting);
			}
		}
		if (call != null) {
			call.giveUp();
		}
	}

	/** Calls that can be made together. */
	private static final class CallLane<T> {

		private final Deque<WaitingCaller<T>> waiting = new ArrayDeque<>();

		private int underWay;

	}

	/** A caller. */
	private static final class WaitingCaller<T> {

		private final T part;

		private final int bytes;

		private final Function<List<T>, CompletableFuture<List<?>>> sender;

		private final CompletableFuture<List<?>> answer = new CompletableFuture<>();

		/** Set when it is to be made. */
		private @Nullable SharedCall<T> call;

		WaitingCaller(T part, int bytes, Function<List<T>, CompletableFuture<List<?>>> sender) {
			this.part = part;
			this.bytes = bytes;
			this.sender = sender;
		}

	}

	/** A call of the server. */
	private static final class SharedCall<T> {

		private final List<WaitingCaller<T>> callers;

		private final List<T> parts;

		private int interested;

		private @Nullable CompletableFuture<List<?>> reply;

		SharedCall(int size) {
			this.callers = new ArrayList<>(size);
			this.parts = new ArrayList<>(size);
		}

		/** Holding the lock of the lanes. */
		void add(WaitingCaller<T> caller) {
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
			for (WaitingCaller<T> caller : this.callers) {
				if (error != null) {
					caller.answer.completeExceptionally(error);
				}
				else {
					caller.answer.complete(answer);
				}
			}
		}

		/**
		 * When the last caller has given up, nobody waits for an answer any more, and
		 * others need not.
		 */
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
