package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * A registry whose containers do nothing by themselves: whoever has it takes one step
 * after the other, and each claims, handles and settles on the calling thread. Everything
 * else about the containers is as it always is. For tests with a store whose clock stands
 * still between steps; public for the test kit.
 * <p>
 * Steps are to be taken by one thread at a time.
 */
public class DrivenListenerContainerRegistry extends DefaultListenerContainerRegistry {

	/** Nobody polls, so nobody can be too late for it. */
	private static final Duration NO_POLLS = Duration.ofDays(36_500);

	private static final Comparator<StoredTask> BY_TURN = Comparator.comparing(StoredTask::at)
		.thenComparing(StoredTask::priority);

	private final TaskStore store;

	private final Duration patience;

	/**
	 * Create a registry.
	 * @param store where tasks come from
	 * @param codec how they are read
	 * @param events whom to tell what happens
	 * @param settings what is configured for a queue, complete
	 * @param patience how long to wait for a handler that answered a stage to complete it
	 */
	public DrivenListenerContainerRegistry(TaskStore store, TaskCodec codec, TaskEvents events,
			Function<String, QueueOptions> settings, Duration patience) {
		super(store, codec, events, settings.andThen(DrivenListenerContainerRegistry::withoutPolls),
				new CallerThreads());
		this.store = store;
		this.patience = patience;
	}

	private static QueueOptions withoutPolls(QueueOptions options) {
		return options.toBuilder().pollInterval(NO_POLLS).build();
	}

	/**
	 * What a step has done.
	 *
	 * @param tasks how many tasks were taken, handled and settled
	 * @param next if there were none, after what time by the store's clock another step
	 * is worth taking; {@code null} if nothing is waiting
	 */
	public record Step(int tasks, @Nullable Duration next) {

	}

	/**
	 * Deliver what comes next of what is due now: one task, or one batch. Of all queues
	 * with a running listener it is the one whose earliest task is due first, then the
	 * one whose task has the higher priority. If the thread is interrupted while a
	 * handler runs, it still is when this returns, unless the handler's time was over.
	 * @return what was done
	 * @throws IllegalStateException if a handler answered a stage and does not complete
	 * it
	 */
	public Step step() {
		Duration next = null;
		for (DefaultListenerContainer container : inTurn()) {
			Claims.Taken taken = container.take();
			if (!taken.tasks().isEmpty()) {
				await(container, taken.tasks());
				if (container.forgetInterruption()) {
					Thread.currentThread().interrupt();
				}
				return new Step(taken.tasks().size(), null);
			}
			if (next == null || (taken.wakeIn() != null && taken.wakeIn().compareTo(next) < 0)) {
				next = taken.wakeIn();
			}
		}
		return new Step(0, next);
	}

	/** The running containers; those whose queue is empty last. */
	private List<DefaultListenerContainer> inTurn() {
		List<DefaultListenerContainer> running = new ArrayList<>(snapshot());
		running.removeIf((container) -> !container.isRunning());
		if (running.size() > 1) {
			Map<String, List<StoredTask>> heads = running.stream()
				.map(DefaultListenerContainer::getQueue)
				.distinct()
				.collect(Collectors.toMap(Function.identity(),
						(queue) -> this.store.list(queue, TaskState.SCHEDULED, 0, 1, false)));
			running.sort(Comparator.comparing((
					container) -> heads.getOrDefault(container.getQueue(), List.of()).stream().findFirst().orElse(null),
					Comparator.nullsLast(BY_TURN)));
		}
		return running;
	}

	private void await(DefaultListenerContainer container, List<Held> tasks) {
		try {
			if (!container.awaitEmpty(System.nanoTime() + this.patience.toNanos())) {
				throw new IllegalStateException("Listener '" + container.getId() + "' has not ended within "
						+ this.patience + ": " + tasks.stream().map((task) -> Names.printable(task.id())).toList()
						+ ". Its handler answered a CompletionStage that nobody has completed, or the store cannot "
						+ "be told how it ended");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while listener '" + container.getId() + "' was at work", ex);
		}
	}

	/**
	 * Let recurring tasks that running listeners have of their own begin anew by the
	 * clock as it is now. One that is not waiting for its time is left alone.
	 * @param which says by queue and id which of them are meant
	 */
	public void renewOwnTasks(BiPredicate<String, String> which) {
		for (DefaultListenerContainer container : snapshot()) {
			String queue = container.getQueue();
			String id = container.getId();
			if (container.isRunning() && container.endpoint().options().recurrence() != null && which.test(queue, id)
					&& this.store.find(queue, id).filter((task) -> task.state() == TaskState.SCHEDULED).isPresent()
					&& this.store.cancel(queue, id)) {
				container.registerOwnTask();
			}
		}
	}

	/**
	 * End handlers that answered a stage and have not completed it: they have failed.
	 */
	public void endUnfinished() {
		snapshot().forEach((container) -> container
			.endUnfinished(new IllegalStateException("Nobody waits for the handler any more")));
	}

}
