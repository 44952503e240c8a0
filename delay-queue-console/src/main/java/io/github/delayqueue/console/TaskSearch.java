package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.UnreadableTaskException;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Looks for tasks in all queues, a part of them at a time: by id, or recurring ones, of
 * which there is no index. In one queue, step by step, for those with a text in payload
 * or headers. Thread-safe.
 */
record TaskSearch(TaskStore store, TaskCodec codec, ListenerSwitch listeners, Clock clock, LongSupplier nanoTime) {

	/** Queues of one answer. */
	static final int MAX_QUEUES = 200;

	/** Tasks of a queue and state that are read at once. */
	static final int MAX_TASKS = 100;

	/** After that time an answer ends with the queue that it is at. */
	private static final long MAX_NANOS = Duration.ofMillis(200).toNanos();

	/** So they come first that somebody looks for most often. */
	private static final List<TaskState> STATES = List.of(TaskState.DEAD, TaskState.IN_FLIGHT, TaskState.SCHEDULED,
			TaskState.COMPLETED);

	/**
	 * Larger ones are not looked into: the store does nothing else while it reads them.
	 */
	private static final Contents LOOKED_INTO = new Contents(16_384, false);

	/**
	 * So far into each state: a table of tasks that comes before it is read from its
	 * beginning.
	 */
	private static final int FARTHEST = 100_000;

	private static final Pattern CURSOR = Pattern.compile("([0-3]):(\\d{1,6})");

	private static final int DEFAULT_LIMIT = 50;

	FoundTasksDescriptor find(List<String> queues, RequestArguments arguments) {
		arguments.allowOnly("A search by id", Set.of("id", "search", "cursor", "limit"));
		String id = arguments.taskId();
		return search(queues, arguments,
				(queue, partly) -> this.store.find(queue, id).map(this::describe).stream().toList());
	}

	FoundTasksDescriptor recurring(List<String> queues, RequestArguments arguments) {
		arguments.allowOnly("A search for recurring tasks", Set.of("recurring", "search", "cursor", "limit"));
		if (!"true".equals(arguments.text("recurring"))) {
			throw arguments.invalid("'recurring' must be true");
		}
		QueueConsumers consumers = this.listeners.consumers();
		return search(queues, arguments, (queue, partly) -> recurring(queue, consumers.listenersOf(queue), partly));
	}

	/** The look at a queue also gets the list of queues not seen in whole. */
	private FoundTasksDescriptor search(List<String> queues, RequestArguments arguments,
			BiFunction<String, List<String>, List<TaskDescriptor>> look) {
		String cursor = Objects.requireNonNullElse(arguments.text("cursor"), "");
		List<String> left = queues.stream().filter((name) -> name.compareTo(cursor) > 0).toList();
		int most = Math.min(left.size(), arguments.number("limit", MAX_QUEUES, 1, MAX_QUEUES));
		Map<String, List<TaskDescriptor>> found = new TreeMap<>();
		List<String> unread = new ArrayList<>();
		List<String> partly = new ArrayList<>();
		long start = this.nanoTime.getAsLong();
		int looked = 0;
		while (looked < most && (looked == 0 || this.nanoTime.getAsLong() - start < MAX_NANOS)) {
			String queue = left.get(looked++);
			try {
				List<TaskDescriptor> tasks = look.apply(queue, partly);
				if (!tasks.isEmpty()) {
					found.put(queue, tasks);
				}
			}
			catch (DelayQueueException ex) {
				// the others are looked at even so
				unread.add(queue);
			}
		}
		return new FoundTasksDescriptor(found, unread, partly, looked, queues.size(),
				(looked < left.size()) ? left.get(looked - 1) : null);
	}

	/**
	 * Look for a text in payloads, or in headers, of the tasks of a queue, a part of them
	 * at a time. A task that changes its place meanwhile may be overlooked.
	 * @param showsPayloads whether the user may see them
	 */
	FoundTasksDescriptor search(String queue, RequestArguments arguments, boolean showsPayloads) {
		arguments.allowOnly("'search'", Set.of("text", "header", "cursor", "limit"));
		if (arguments.has("text") == arguments.has("header")) {
			throw arguments.invalid("'search' takes either 'text' or 'header'");
		}
		if (arguments.has("text") && !showsPayloads) {
			throw new QueueRequestException(403, queue, "Payloads are not shown to you, so you cannot look for a text "
					+ "in them: see management.endpoint.delayqueue.show-values", null);
		}
		Matcher cursor = CURSOR.matcher(Objects.requireNonNullElse(arguments.text("cursor"), "0:0"));
		if (!cursor.matches()) {
			throw arguments.invalid("The cursor is not one that was returned; leave it out to begin anew");
		}
		String text = arguments.requireText(arguments.has("text") ? "text" : "header");
		Predicate<String> matches = Pattern
			.compile(text, Pattern.LITERAL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
			.asPredicate();
		Function<Envelope, Stream<String>> texts = arguments.has("text")
				? (envelope) -> Stream.ofNullable(envelope.payloadJson())
				: (envelope) -> envelope.headers()
					.entrySet()
					.stream()
					.map((header) -> header.getKey() + ": " + header.getValue());
		return search(queue, (envelope) -> texts.apply(envelope).anyMatch(matches), Integer.parseInt(cursor.group(1)),
				Integer.parseInt(cursor.group(2)), arguments.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH));
	}

	private FoundTasksDescriptor search(String queue, Predicate<Envelope> matches, int state, int offset, int most) {
		List<TaskDescriptor> found = new ArrayList<>();
		boolean all = true;
		int looked = 0;
		long start = this.nanoTime.getAsLong();
		while (state < STATES.size() && found.size() < most
				&& (looked == 0 || this.nanoTime.getAsLong() - start < MAX_NANOS)) {
			List<StoredTask> page = QueueView.of(this.store)
				.list(queue, STATES.get(state), offset, MAX_TASKS, LOOKED_INTO);
			for (int i = 0; i < page.size() && found.size() < most; i++, looked++, offset++) {
				Envelope envelope = read(page.get(i).envelope());
				all &= envelope != null;
				if (envelope != null && matches.test(envelope)) {
					found.add(describe(page.get(i)));
				}
			}
			if (page.isEmpty() || offset >= FARTHEST) {
				all &= page.isEmpty();
				state++;
				offset = 0;
			}
		}
		QueueStats stats = QueueView.of(this.store).stats(queue);
		return new FoundTasksDescriptor(found.isEmpty() ? Map.of() : Map.of(queue, found), List.of(),
				all ? List.of() : List.of(queue), looked, (int) Math
					.min(stats.waiting() + stats.inFlight() + stats.dead() + stats.completed(), Integer.MAX_VALUE),
				(state < STATES.size()) ? state + ":" + offset : null);
	}

	/** Those of listeners have the listener's id, so they are found wherever they are. */
	private List<TaskDescriptor> recurring(String queue, Set<String> listeners, List<String> partly) {
		Map<String, TaskDescriptor> found = new TreeMap<>();
		boolean all = true;
		for (TaskState state : List.of(TaskState.SCHEDULED, TaskState.IN_FLIGHT, TaskState.DEAD)) {
			List<StoredTask> tasks = QueueView.of(this.store).list(queue, state, 0, MAX_TASKS, Contents.SMALL);
			all &= tasks.size() < MAX_TASKS;
			for (StoredTask task : tasks) {
				all &= task.envelope() != null || task.dueAt() == null;
				add(found, task);
			}
		}
		for (String id : listeners) {
			if (!found.containsKey(id)) {
				this.store.find(queue, id).ifPresent((task) -> add(found, task));
			}
		}
		if (!all) {
			partly.add(queue);
		}
		return List.copyOf(found.values());
	}

	private void add(Map<String, TaskDescriptor> found, StoredTask task) {
		Recurrence recurrence = recurrence(task.envelope());
		if (recurrence != null) {
			found.put(task.id(), describe(task, recurrence, nextRuns(recurrence, task.state(), task.dueAt())));
		}
	}

	/** A task, without what costs much. */
	TaskDescriptor describe(StoredTask task) {
		return describe(task, recurrence(task.envelope()), null);
	}

	private TaskDescriptor describe(StoredTask task, @Nullable Recurrence recurrence,
			@Nullable List<Instant> nextRuns) {
		byte[] failure = task.failure();
		return TaskDescriptor.of(task, recurrence, nextRuns,
				(failure != null) ? FailureJson.readFailure(failure) : null,
				(failure != null) ? FailureJson.readLastRun(failure) : null);
	}

	/**
	 * When a task is run next, that it is due included.
	 * @return up to three times; {@code null} if it does not recur or is dead
	 */
	@Nullable List<Instant> nextRuns(@Nullable Recurrence recurrence, TaskState state, @Nullable Instant dueAt) {
		if (recurrence == null || dueAt == null || (state != TaskState.SCHEDULED && state != TaskState.IN_FLIGHT)) {
			return null;
		}
		List<Instant> runs = new ArrayList<>();
		if (state == TaskState.SCHEDULED) {
			runs.add(dueAt);
		}
		Instant next = recurrence.nextAfterRun(dueAt, this.clock.instant());
		while (next != null && runs.size() < 3) {
			runs.add(next);
			next = recurrence.nextAfterRun(next, next);
		}
		return runs;
	}

	private @Nullable Recurrence recurrence(byte @Nullable [] bytes) {
		Envelope envelope = read(bytes);
		return (envelope != null) ? envelope.options().recurrence() : null;
	}

	/** {@code null} if there is none, or none that can be read. */
	@Nullable Envelope read(byte @Nullable [] envelope) {
		try {
			return (envelope != null) ? this.codec.readEnvelope(envelope) : null;
		}
		catch (UnreadableTaskException | UnsupportedEnvelopeException ex) {
			return null;
		}
	}

}
