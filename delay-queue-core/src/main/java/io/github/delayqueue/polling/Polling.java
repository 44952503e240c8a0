package io.github.delayqueue.polling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.GenericApplicationListener;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.lostclaims.LostClaims;
import io.github.delayqueue.options.OptionTable;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.ProducerPart;
import io.github.delayqueue.producer.TaskPoller;
import io.github.delayqueue.retention.Tending;
import io.github.delayqueue.run.ClaimTurns.ClaimTurn;
import io.github.delayqueue.run.ClaimTurns;
import io.github.delayqueue.run.RunEnd;
import io.github.delayqueue.run.TaskClaim;
import io.github.delayqueue.run.TaskRun;
import io.github.delayqueue.run.TaskRuns;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.KnownQueues;
import io.github.delayqueue.store.TaskStore;

/** Claims tasks by hand and settles them. Public for wiring. Thread-safe. */
public final class Polling implements TaskPoller, ProducerPart {

	private static final Logger logger = LoggerFactory.getLogger(Polling.class);

	private final TaskStore store;

	private final TaskCodec codec;

	private final TaskEvents events;

	private final Function<String, QueueOptions> settings;

	private final ClaimTurns turns = new ClaimTurns();

	/** By source. */
	private final KnownQueues<LostClaims> lost = new KnownQueues<>();

	private final Consumer<String> polled;

	private final PollWaits waits;

	private final Tending tending = new Tending();

	/**
	 * Create for a template.
	 * @param events whom to tell what happens
	 * @param settings what is configured for a queue
	 * @param polled told of each queue that is about to be polled, with each claim
	 */
	public Polling(TaskStore store, TaskCodec codec, TaskEvents events, Function<String, QueueOptions> settings,
			Consumer<String> polled) {
		this.store = store;
		this.codec = codec;
		this.events = events;
		this.settings = settings;
		this.polled = polled;
		this.waits = new PollWaits(store);
	}

	@Override
	public void begin() {
		this.turns.renew();
		this.waits.start();
	}

	@Override
	public void end() {
		this.waits.end();
	}

	/**
	 * Let no wait outlive the beginning of the end of a context. Those who wait may be
	 * handlers or requests, which end before the template is stopped.
	 */
	public void endWaitsWith(ConfigurableApplicationContext context) {
		context.addApplicationListener(GenericApplicationListener.forEventType(ContextClosedEvent.class, (event) -> {
			// contexts below tell theirs as well
			if (event.getApplicationContext() == context) {
				this.waits.end();
			}
		}));
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration) {
		requireClaim(queue, limit, leaseDuration);
		return claim(queue, limit, leaseDuration).tasks();
	}

	@Override
	public List<ClaimedTask> poll(String queue, int limit, Duration leaseDuration, Duration maxWait)
			throws InterruptedException {
		require(queue, !maxWait.isNegative() && maxWait.compareTo(QueueOptions.MAX_DURATION) <= 0,
				"maxWait must be between zero and 36500 days", Names.printable(maxWait));
		if (maxWait.isZero()) {
			return poll(queue, limit, leaseDuration);
		}
		requireClaim(queue, limit, leaseDuration);
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		long end = System.nanoTime() + maxWait.toNanos();
		try (PollWaits.Wakes wakes = this.waits.of(queue)) {
			Claimed claimed;
			long seen;
			do {
				seen = wakes.beforeClaim();
				claimed = claim(queue, limit, leaseDuration);
			}
			while (claimed.tasks().isEmpty() && wakes.await(seen, claimed.nextAt(), end));
			return claimed.tasks();
		}
		catch (RuntimeException ex) {
			if (Thread.interrupted()) {
				throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
			}
			throw ex;
		}
	}

	private static void requireClaim(String queue, int limit, Duration leaseDuration) {
		require(queue, limit >= 1 && limit <= TaskStore.MAX_BATCH, "limit must be 1 to " + TaskStore.MAX_BATCH,
				Integer.toString(limit));
		require(queue, leaseDuration.compareTo(Duration.ofMillis(1)) >= 0,
				"leaseDuration must be at least a millisecond", Names.printable(leaseDuration));
	}

	private static void require(String queue, boolean allowed, String rule, String value) {
		Names.requireQueue(queue);
		if (!allowed) {
			throw new DelayQueueException(queue, null, "Queue '" + queue + "': " + rule + ", but is " + value);
		}
	}

	/**
	 * What the sources of a queue gave.
	 *
	 * @param nextAt when to ask again if that was nothing, by {@link System#nanoTime()}
	 */
	private record Claimed(List<ClaimedTask> tasks, long nextAt) {

	}

	private Claimed claim(String queue, int limit, Duration leaseDuration) {
		// before there are leases that run meanwhile
		this.polled.accept(queue);
		ClaimTurn turn = this.turns.next("");
		QueueOptions settings = this.settings.apply(queue);
		TaskRuns runs = new TaskRuns(this.store, this.codec, this.events, settings.maxLeaseLosses(),
				settings.expiresAfter(), !settings.get(OptionTable.COMPLETED_RETENTION).isZero(), System::nanoTime);
		ClaimTerms terms = ClaimTerms.of(leaseDuration, settings.claimParts(), runs.maxLeaseLosses());
		List<String> sources = this.store.sources(queue);
		List<ClaimedTask> tasks = new ArrayList<>();
		long nextAt = System.nanoTime() + settings.pollInterval().toNanos();
		for (int i = 0; i < sources.size() && tasks.size() < limit; i++) {
			String source = sources.get((int) ((turn.number() + i) % sources.size()));
			LostClaims lost = this.lost.get(source);
			try {
				int wanted = limit - tasks.size();
				TaskClaim.Answered answered = TaskClaim.ask(runs, queue, source,
						new ClaimRequest(turn.token(), wanted, wanted, turn.oldestFirst(), true, terms));
				long at = answered.claim().answeredAt() + answered.next(settings.pollInterval()).toNanos();
				nextAt = (at - nextAt < 0) ? at : nextAt;
				tasks.addAll(handedOut(answered));
				if (lost != null) {
					lost.release(Runnable::run);
				}
				if (answered.result().notes().untended()) {
					this.tending.tend(this.store, this.events, queue, source, settings);
				}
			}
			catch (RuntimeException ex) {
				this.lost.get(source, (name) -> new LostClaims(this.store, name, System::nanoTime))
					.add(turn.token(), leaseDuration);
				if (tasks.isEmpty()) {
					throw ex;
				}
				// what the others gave must not be lost
				logger.warn("Polling queue '{}' ends early: {} failed: {}", queue, source, Names.printable(ex));
				logger.debug("Stack trace of the failed poll of queue '{}'", queue, ex);
				break;
			}
		}
		return new Claimed(tasks, nextAt);
	}

	private List<ClaimedTask> handedOut(TaskClaim.Answered answered) {
		List<ClaimedTask> tasks = new ArrayList<>();
		for (ClaimedRecord record : answered.result().tasks()) {
			TaskRun run = new TaskRun(answered.claim(), record);
			PolledTask task = PolledTask.of(this.store, this.codec, run);
			RunEnd end = refused(task);
			if (end != null) {
				giveUp(task, end);
			}
			else {
				run.started();
				tasks.add(task);
			}
		}
		return tasks;
	}

	private static @Nullable RunEnd refused(PolledTask task) {
		TaskRun run = task.run();
		RunEnd end = run.refused();
		if (end == null && task.content().error() instanceof UnsupportedEnvelopeException later) {
			end = run.releaseUnsupported(later);
		}
		return (end != null) ? end : run.tooLate();
	}

	/** A failure must not cost the caller the other tasks that were claimed. */
	private void giveUp(PolledTask task, RunEnd end) {
		try {
			task.settle(end, Duration.ZERO);
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Task '{}' of queue '{}' must not be handed out and could not be settled as dead; it will be "
							+ "claimed again when its lease runs out: {}",
					Names.printable(task.id()), task.queue(), Names.printable(ex));
		}
	}

}
