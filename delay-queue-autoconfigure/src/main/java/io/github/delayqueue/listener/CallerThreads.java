package io.github.delayqueue.listener;

import java.util.concurrent.ScheduledExecutorService;

/**
 * Of containers that are driven: handlers and settlements run on the thread that claims.
 * Only leases are looked after on another one while a task is held, so that a handler is
 * interrupted when its time is over.
 */
final class CallerThreads extends ContainerThreads {

	private final CallerExecutor settlements = new CallerExecutor("delay-queue-settle-");

	CallerThreads() {
		super(false);
	}

	@Override
	boolean areDriven() {
		return true;
	}

	/** No thread before one is needed. */
	@Override
	void prestart() {
	}

	@Override
	ScheduledExecutorService settlements() {
		return this.settlements;
	}

	@Override
	void settle(Runnable settlement, boolean suspect) {
		settlement.run();
	}

	/** Nothing goes on beside what the caller does. */
	@Override
	boolean beside(Runnable calls) {
		return false;
	}

	@Override
	HandlerThreads handlers(String containerId) {
		return new HandlerThreads(null, Runnable::run);
	}

	@Override
	void shutdown() {
		super.shutdown();
		this.settlements.shutdownNow();
	}

}
