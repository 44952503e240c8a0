package io.github.delayqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.producer.TaskDetails;

/** Says what is in a queue, for the messages of assertions, with payloads. */
final class QueueText {

	private static final int MOST = 20;

	private static final int LONGEST = 200;

	private QueueText() {
	}

	static String describe(TestQueue queue) {
		Instant now = queue.access().clock().instant();
		StringBuilder text = new StringBuilder("It is ").append(now).append(", and the queue has");
		append(text, "scheduled", queue.scheduled().stream().map((task) -> scheduled(task, now)).toList());
		append(text, "in flight",
				queue.inFlight().stream().map((task) -> Names.printable(task.id()) + payload(task)).toList());
		append(text, "dead", queue.dead().stream().map(QueueText::dead).toList());
		append(text, "delivered",
				queue.deliveries()
					.stream()
					.map((delivery) -> delivery.toString().substring(queue.name().length() + 1))
					.toList());
		appendConsumers(text, queue);
		return text.toString();
	}

	/** Where nothing can run: often it is the name of the queue that is wrong. */
	private static void appendConsumers(StringBuilder text, TestQueue queue) {
		Collection<? extends DelayQueueListenerContainer> all = queue.access().registry().getContainers();
		List<String> stopped = new ArrayList<>();
		for (DelayQueueListenerContainer container : all) {
			if (container.getQueue().equals(queue.name())) {
				if (container.isRunning()) {
					return;
				}
				stopped.add("'" + container.getId() + "'");
			}
		}
		text.append("\nNobody consumes it: ");
		if (!stopped.isEmpty()) {
			text.append("of its listeners none runs, which are ").append(String.join(", ", stopped));
			return;
		}
		List<String> queues = all.stream()
			.map((container) -> "'" + container.getQueue() + "'")
			.distinct()
			.sorted()
			.toList();
		text.append("this context has no listener for it, only for ")
			.append(queues.isEmpty() ? "no queue at all" : String.join(", ", queues));
	}

	private static void append(StringBuilder text, String what, List<String> items) {
		text.append("\n  ").append(what).append(": ").append(items.isEmpty() ? "nothing" : "");
		items.stream().limit(MOST).forEach((item) -> text.append("\n    ").append(item));
		if (items.size() > MOST) {
			text.append("\n    and ").append(items.size() - MOST).append(" more");
		}
	}

	private static String scheduled(TaskDetails task, Instant now) {
		StringBuilder text = new StringBuilder(Names.printable(task.id()));
		if (task.dueAt() != null) {
			text.append(", due in ").append(Names.printable(Duration.between(now, task.dueAt())));
			if (!task.dueAt().isAfter(now)) {
				text.append(" (it runs when the clock is turned: clock.runDue() or clock.advance(…))");
			}
		}
		if (task.priority() != TaskPriority.NORMAL) {
			text.append(", ").append(task.priority());
		}
		if (task.failures() > 0) {
			text.append(", failures: ").append(task.failures()).append(failure(task.lastFailure()));
		}
		return text.append(payload(task)).toString();
	}

	private static String dead(TaskDetails task) {
		return Names.printable(task.id()) + failure(task.lastFailure()) + payload(task);
	}

	static String failure(@Nullable TaskFailure failure) {
		if (failure == null) {
			return "";
		}
		return " (" + ((failure.reason() != null) ? failure.reason() + ", " : "")
				+ ((failure.type() != null) ? failure.type() + ": " : "") + failure.message() + ")";
	}

	private static String payload(TaskDetails task) {
		String json = task.payloadJson();
		if (json == null) {
			return "";
		}
		return ", payload " + ((json.length() > LONGEST) ? json.substring(0, LONGEST) + "…" : json);
	}

}
