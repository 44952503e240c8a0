package io.github.delayqueue.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.faults.HandlerPlan.Kind;
import io.github.delayqueue.faults.LoggedCalls.Order;
import io.github.delayqueue.faults.LoggedCalls.Sent;

/**
 * What one thread of a producer does all the time: mostly new tasks, and now and then
 * something to one of its latest. Nobody else touches its tasks, so that the order of
 * what is done to a task is known.
 */
public final class Load implements Runnable {

	/** So few that most of them are not over yet. */
	private static final int REMEMBERED = 8;

	/** One task in so many ends the consumer's process. */
	private static final int HALT_EVERY = 8000;

	/** One task in so many hangs. */
	private static final int HANG_EVERY = 400;

	/** Due after six seconds at the latest, completed, and no longer kept. */
	private static final long FORGOTTEN_MILLIS = SuiteSettings.RETENTION.plusSeconds(28).toMillis();

	/** So long a task has time to die that is to be redriven. */
	private static final long BROKEN_MILLIS = 60_000;

	private static final int BROKEN = 3;

	private static final List<Kind> DEADLY = List.of(Kind.NOT_RETRYABLE, Kind.DEAD_LETTER, Kind.EXHAUST);

	private final LoggedCalls calls;

	private final Random random;

	private final long stepNanos;

	private final LongSupplier clock;

	private final List<Task> latest = new ArrayList<>();

	/** Of the queue that keeps completed tasks, the oldest first. */
	private final Deque<Task> earlier = new ArrayDeque<>();

	/** To be redriven at the times they say. */
	private final Deque<Task> broken = new ArrayDeque<>();

	private int untilHalt;

	private int untilHang;

	private volatile boolean ending;

	/**
	 * Create a load.
	 * @param calls how calls are made
	 * @param random decides what is done
	 * @param stepsPerSecond how many calls
	 * @param phase between 0 and 1, so that threads do not all begin with what is rare
	 */
	Load(LoggedCalls calls, Random random, double stepsPerSecond, double phase) {
		this(calls, random, stepsPerSecond, phase, System::currentTimeMillis);
	}

	/**
	 * Create a load by another clock.
	 * @param calls how calls are made
	 * @param random decides what is done
	 * @param stepsPerSecond how many calls
	 * @param phase between 0 and 1, so that threads do not all begin with what is rare
	 * @param clock milliseconds since the epoch
	 */
	public Load(LoggedCalls calls, Random random, double stepsPerSecond, double phase, LongSupplier clock) {
		this.clock = clock;
		this.calls = calls;
		this.random = random;
		this.untilHalt = (int) (HALT_EVERY * phase);
		this.untilHang = (int) (HANG_EVERY * phase);
		this.stepNanos = (long) (TimeUnit.SECONDS.toNanos(1) / stepsPerSecond);
	}

	/**
	 * A task that has been scheduled.
	 *
	 * @param queue its queue
	 * @param id its id
	 * @param at when, in milliseconds since the epoch
	 */
	private record Task(String queue, String id, long at) {

	}

	@Override
	public void run() {
		while (!this.ending) {
			long next = System.nanoTime() + this.stepNanos;
			step();
			while (!this.ending && next - System.nanoTime() > 0) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
		}
	}

	void end() {
		this.ending = true;
	}

	/** Make the next call. */
	public void step() {
		int dice = this.random.nextInt(100);
		if (dice < 50) {
			scheduleMany();
		}
		else if (dice < 80 || this.latest.isEmpty()) {
			schedule(null, DuplicatePolicy.REPLACE);
		}
		else if (dice < 86) {
			schedule(anyTask(), DuplicatePolicy.REPLACE);
		}
		else if (dice < 90) {
			schedule(isForgotten(this.earlier.peek()) ? this.earlier.remove() : anyTask(), DuplicatePolicy.REJECT);
		}
		else if (dice < 95) {
			Task task = anyTask();
			this.calls.cancel(task.queue(), task.id());
		}
		else {
			Task task = anyTask();
			this.calls.move(task.queue(), task.id(), due());
		}
	}

	/** Schedule one new task, mostly for now. */
	public void scheduleOne(String queue) {
		Due due = (this.random.nextInt(3) > 0) ? Due.in(0) : due();
		this.calls.schedule(new Order(queue, null, due, plan(queue), DuplicatePolicy.REPLACE));
	}

	/** Redrive tasks that have died since, and schedule others that will die. */
	public void redrive() {
		long now = this.clock.getAsLong();
		while (!this.broken.isEmpty() && this.broken.peek().at() <= now) {
			Task task = this.broken.remove();
			this.calls.redrive(task.queue(), task.id());
		}
		HandlerPlan plan = new HandlerPlan(Kind.BROKEN, (int) ((now + BROKEN_MILLIS) / 1000));
		for (int i = 0; i < BROKEN; i++) {
			String queue = queue();
			Sent sent = this.calls.schedule(new Order(queue, null, due(), plan, DuplicatePolicy.REPLACE));
			this.broken.add(new Task(queue, sent.id(), now + 2 * BROKEN_MILLIS));
		}
	}

	private void scheduleMany() {
		String queue = queue();
		List<Order> orders = new ArrayList<>();
		int count = 5 + this.random.nextInt(20);
		for (int i = 0; i < count; i++) {
			orders.add(new Order(queue, null, due(), plan(queue), DuplicatePolicy.REPLACE));
		}
		this.calls.scheduleAll(orders);
	}

	private void schedule(@Nullable Task task, DuplicatePolicy onDuplicate) {
		String queue = (task != null) ? task.queue() : queue();
		String id = (task != null) ? task.id() : null;
		Sent sent = this.calls.schedule(new Order(queue, id, due(), plan(queue), onDuplicate));
		if (task == null) {
			remember(new Task(queue, sent.id(), this.clock.getAsLong()));
		}
		if (!sent.answered() && this.random.nextBoolean()) {
			this.calls.schedule(new Order(queue, sent.id(), due(), plan(queue), onDuplicate));
		}
	}

	private void remember(Task task) {
		if (this.latest.size() == REMEMBERED) {
			Task oldest = this.latest.remove(0);
			if (oldest.queue().equals(SuiteSettings.JOBS)) {
				this.earlier.add(oldest);
			}
		}
		this.latest.add(task);
	}

	/** Whether it was completed so long ago that its id is new again. */
	private boolean isForgotten(@Nullable Task task) {
		return task != null && this.clock.getAsLong() - task.at() > FORGOTTEN_MILLIS;
	}

	private Task anyTask() {
		return this.latest.get(this.random.nextInt(this.latest.size()));
	}

	private String queue() {
		return SuiteSettings.QUEUES.get(this.random.nextInt(SuiteSettings.QUEUES.size()));
	}

	private Due due() {
		int dice = this.random.nextInt(10);
		if (dice < 3) {
			return Due.in(0);
		}
		if (dice < 7) {
			return Due.in(1 + this.random.nextInt(2000));
		}
		if (dice < 9) {
			return Due.in(2000 + this.random.nextInt(4000));
		}
		return Due.at(this.clock.getAsLong() + this.random.nextInt(4000));
	}

	private HandlerPlan plan(String queue) {
		this.untilHalt--;
		this.untilHang--;
		// a batch would take its neighbours along
		boolean alone = !queue.equals(SuiteSettings.MAILS);
		if (alone && this.untilHalt <= 0) {
			this.untilHalt = HALT_EVERY;
			return HandlerPlan.of(Kind.HALT);
		}
		if (alone && this.untilHang <= 0) {
			this.untilHang = HANG_EVERY;
			return this.random.nextInt(4) > 0 ? HandlerPlan.of(Kind.HANG) : new HandlerPlan(Kind.DEAF, 8000);
		}
		return commonPlan(alone);
	}

	private HandlerPlan commonPlan(boolean alone) {
		int dice = this.random.nextInt(1000);
		if (dice < 20) {
			return new HandlerPlan(Kind.THROW, 1 + this.random.nextInt(2));
		}
		if (dice < 28) {
			return new HandlerPlan(Kind.RETRY_AFTER, 50 + this.random.nextInt(1000));
		}
		if (dice < 34) {
			return HandlerPlan.of(DEADLY.get(this.random.nextInt(DEADLY.size())));
		}
		if (dice < 100) {
			return new HandlerPlan(Kind.SLEEP, 1 + this.random.nextInt(100));
		}
		if (dice < 112 && alone) {
			return new HandlerPlan(Kind.SLEEP, 1000 + this.random.nextInt(1500));
		}
		return HandlerPlan.OK;
	}

}
