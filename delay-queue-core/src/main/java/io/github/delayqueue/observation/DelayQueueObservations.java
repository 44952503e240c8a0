package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.ObservedDelivery;
import io.github.delayqueue.event.ObservedScope;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.ScheduleObserver;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Turns scheduling and handling into observations:
 * <ul>
 * <li>{@code delay.queue.schedule}, of each call that schedules, with the kind
 * {@code PRODUCER}; a call of {@code scheduleAll} is one observation, whatever it
 * schedules. Its context goes into the headers of the tasks;</li>
 * <li>{@code delay.queue.process}, of each call of a handler, with the kind
 * {@code CONSUMER}. Handlers run in its scope. It takes up the context of its task.</li>
 * </ul>
 * Two do not continue a trace, but begin one with links to where they come from: a task
 * that is to wait for longer than a limit, and several tasks that one call handles.
 * {@link LinkingTracingObservationHandler} does that.
 * <p>
 * Public for applications that create it themselves, as the bean that their
 * {@code TaskEvents} are created with. Thread-safe. Costs nothing while the registry has
 * no handlers.
 */
public class DelayQueueObservations implements ScheduleObserver {

	private final Supplier<ObservationRegistry> registry;

	private final Duration linkAfter;

	/**
	 * Create observations in the application's registry. It is asked for with the first
	 * task, so that its handlers may depend on what schedules tasks.
	 * @param linkAfter how long a task may wait at most to continue the trace that it was
	 * scheduled in
	 */
	public DelayQueueObservations(BeanFactory beanFactory, Duration linkAfter) {
		this.registry = SingletonSupplier.of(() -> beanFactory.getBean(ObservationRegistry.class));
		this.linkAfter = linkAfter;
	}

	@Override
	public boolean isActive() {
		return !this.registry.get().isNoop();
	}

	@Override
	public ScheduleResult schedule(TaskRequest request, Function<TaskRequest, ScheduleResult> call) {
		ObservedCall observed = observe(request.queue(), 1);
		return observed.run(request.id(), () -> call.apply(observed.withHeaders(request)), ScheduleResult::taskId);
	}

	/** Ends before who waits for the result knows it. */
	@Override
	public CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request,
			Function<TaskRequest, CompletableFuture<ScheduleResult>> call) {
		ObservedCall observed = observe(request.queue(), 1);
		CompletableFuture<ScheduleResult> answer = new CompletableFuture<>();
		call.apply(observed.withHeaders(request)).whenComplete((result, error) -> {
			observed.end((result != null) ? result.taskId() : request.id(), error);
			if (error != null) {
				answer.completeExceptionally(error);
			}
			else {
				answer.complete(result);
			}
		});
		return answer;
	}

	@Override
	public List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests,
			Function<Collection<TaskRequest>, List<ScheduleResult>> call) {
		List<String> queues = requests.stream().map(TaskRequest::queue).distinct().limit(2).toList();
		ObservedCall observed = observe((queues.size() == 1) ? queues.get(0) : null, requests.size());
		return observed.run(null, () -> call.apply(requests.stream().map(observed::withHeaders).toList()),
				(results) -> null);
	}

	ObservedCall observe(@Nullable String queue, int tasks) {
		ScheduleObservationContext context = new ScheduleObservationContext(queue, tasks);
		ObservationRegistry registry = this.registry.get();
		GuardedObservation observation = GuardedObservation
			.start(() -> Observation.createNotStarted(context.getName(), () -> context, registry), registry);
		return new ObservedCall(context, observation, this.linkAfter);
	}

	@Override
	public ObservedDelivery deliver(String queue, List<DelayedTask<?>> tasks) {
		ProcessObservationContext context = new ProcessObservationContext(queue, tasks);
		return new ProcessObservation(context,
				GuardedObservation.start(() -> observation(context), this.registry.get()));
	}

	/**
	 * An observation for a task that was claimed by hand, as the one that a handler of it
	 * would run in. Run the observed code by {@link Observation#observe(Runnable)} or the
	 * like, with a settlement at its end.
	 * @return the observation, not started; it does nothing if nobody wants to look
	 */
	public Observation observation(ClaimedTask task) {
		return observation(new ProcessObservationContext(task.queue(),
				List.of(new DelayedTask<>(task.queue(), task.id(), task.payloadJson(), task.headers(), task.priority(),
						task.dueAt(), task.attempt() - 1, task.leasesLost()))));
	}

	private Observation observation(ProcessObservationContext context) {
		return Observation.createNotStarted(context.getName(), () -> context, this.registry.get());
	}

	private record ProcessObservation(ProcessObservationContext context,
			GuardedObservation observation) implements ObservedDelivery {

		@Override
		public ObservedScope open() {
			return this.observation.open();
		}

		@Override
		public void end(Set<DeliveryOutcome> outcomes, @Nullable Throwable error) {
			this.context.end(outcomes);
			this.observation.stop(error);
		}

	}

}
