package io.github.delayqueue.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.TaskRequest;

/**
 * Calls of one thread of a producer, each written down before it is made and after it has
 * been answered.
 */
public final class LoggedCalls {

	/** What the exceptions say after which nobody knows. */
	private static final String AMBIGUOUS = "may or may not have been done";

	/** So many times what else is in an envelope: a claim has to take fewer of them. */
	public static final String BALLAST = "x".repeat(200_000);

	private static final int LARGE_EVERY = 100;

	private final DelayQueueOperations operations;

	private final HistoryLog log;

	private final String name;

	/** Queues with several partitions: what failed may be done in some of them. */
	private final Set<String> spread;

	private final Set<String> grouped;

	private int calls;

	LoggedCalls(DelayQueueOperations operations, HistoryLog log, String name) {
		this(operations, log, name, Set.of(), Set.of(SuiteSettings.GROUPED));
	}

	public LoggedCalls(DelayQueueOperations operations, HistoryLog log, String name, Set<String> spread,
			Set<String> grouped) {
		this.grouped = grouped;
		this.operations = operations;
		this.log = log;
		this.name = name;
		this.spread = spread;
	}

	/**
	 * What is to be scheduled.
	 *
	 * @param queue the queue
	 * @param id the task, {@code null} for a new one
	 * @param due when
	 * @param plan what its handler is to do
	 * @param onDuplicate what if the id is known
	 */
	record Order(String queue, @Nullable String id, Due due, HandlerPlan plan, DuplicatePolicy onDuplicate) {

		TaskRequest.Builder request() {
			TaskRequest.Builder request = TaskRequest.queue(this.queue).onDuplicate(this.onDuplicate);
			return this.due.apply(request);
		}

	}

	/**
	 * What became of a call.
	 *
	 * @param id the task
	 * @param answered whether the caller knows what became of it
	 */
	record Sent(String id, boolean answered) {

	}

	Sent schedule(Order order) {
		String call = nextCall();
		String id = (order.id() != null) ? order.id() : "task-" + call;
		TaskRequest request = intend(order, call, id);
		boolean answered = answer(order.queue(), List.of(call),
				() -> List.of(this.operations.schedule(request).outcome()));
		return new Sent(id, answered);
	}

	/** All for one queue, so that one call of the store has them all. */
	void scheduleAll(List<Order> orders) {
		List<String> calls = new ArrayList<>();
		List<TaskRequest> requests = new ArrayList<>();
		for (Order order : orders) {
			String call = nextCall();
			calls.add(call);
			requests.add(intend(order, call, "task-" + call));
		}
		answer(orders.get(0).queue(), calls,
				() -> this.operations.scheduleAll(requests).stream().map(ScheduleResult::outcome).toList());
	}

	void cancel(String queue, String id) {
		String call = nextCall();
		this.log.write("cancel", call, queue, id);
		answer(queue, List.of(call), () -> List.of(this.operations.cancel(queue, id)));
	}

	void redrive(String queue, String id) {
		String call = nextCall();
		this.log.write("redrive", call, queue, id);
		answer(queue, List.of(call), () -> List.of(this.operations.redrive(queue, id)));
	}

	void move(String queue, String id, Due due) {
		String call = nextCall();
		this.log.write("move", call, queue, id, due);
		answer(queue, List.of(call), () -> List.of(due.reschedule(this.operations, queue, id)));
	}

	private TaskRequest intend(Order order, String call, String id) {
		this.log.write("send", call, order.queue(), id, order.due(), order.plan(), order.onDuplicate());
		String ballast = (this.calls % LARGE_EVERY == 0) ? BALLAST : "";
		TaskRequest.Builder request = order.request().id(id).payload(new Work(call, order.plan().toString(), ballast));
		int group = Math.floorMod(id.hashCode(), SuiteSettings.GROUPS + 1);
		boolean has = group > 0 && this.grouped.contains(order.queue());
		return (has ? request.with(Group.group("group-" + group)) : request).build();
	}

	private String nextCall() {
		this.calls++;
		return this.name + "-" + this.calls;
	}

	private boolean answer(String queue, List<String> calls, Supplier<List<?>> call) {
		try {
			List<?> answers = call.get();
			for (int i = 0; i < calls.size(); i++) {
				this.log.write("answered", calls.get(i), answers.get(i));
			}
			return true;
		}
		catch (DelayQueueException ex) {
			boolean ambiguous = this.spread.contains(queue) || String.valueOf(ex.getMessage()).contains(AMBIGUOUS);
			calls.forEach((name) -> this.log.write(ambiguous ? "unknown" : "refused", name, ex.getMessage()));
			return !ambiguous;
		}
		catch (RuntimeException ex) {
			this.log.write("violation", "exception", ex);
			calls.forEach((name) -> this.log.write("unknown", name, ex));
			return false;
		}
	}

}
