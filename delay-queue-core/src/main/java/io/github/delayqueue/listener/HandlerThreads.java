package io.github.delayqueue.listener;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The threads that run one container's handlers, borrowed from those of all containers
 * for as long as there is something to run.
 */
final class HandlerThreads implements Executor {

	private final Executor shared;

	private final Set<Thread> running = new HashSet<>();

	private boolean released;

	/**
	 * Create a container's share.
	 * @param shared runs each task on a thread of its own
	 */
	HandlerThreads(Executor shared) {
		this.shared = shared;
	}

	@Override
	public void execute(Runnable worker) {
		synchronized (this) {
			if (this.released) {
				throw new RejectedExecutionException("The container has been unregistered");
			}
		}
		this.shared.execute(() -> run(worker));
	}

	private void run(Runnable worker) {
		Thread thread = Thread.currentThread();
		synchronized (this) {
			if (this.released) {
				return;
			}
			this.running.add(thread);
		}
		try {
			worker.run();
		}
		finally {
			synchronized (this) {
				this.running.remove(thread);
			}
			// whoever interrupted it did not mean the next container's handler
			Thread.interrupted();
		}
	}

	/**
	 * Give the threads up, interrupting handlers that still run, but for one that does
	 * this.
	 */
	synchronized void release() {
		this.released = true;
		this.running.stream().filter((thread) -> thread != Thread.currentThread()).forEach(Thread::interrupt);
	}

}
