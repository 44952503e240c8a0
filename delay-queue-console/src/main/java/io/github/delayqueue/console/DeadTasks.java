package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Says what dead letters have died of, and redrives or deletes those of a cause, some at
 * a time. Thread-safe.
 */
record DeadTasks(TaskStore store, LongSupplier nanoTime, Map<String, Count> counts) {

	/** What redrive and delete take besides, to do it some at a time. */
	static final Set<String> STEPWISE = Set.of("cause", "until", "cursor", "delay", "spread");

	/** Dead letters beyond so many are not counted. */
	static final long MOST_COUNTED = 100_000;

	private static final int MOST_CAUSES = 200;

	/** So many are told apart while they are counted. */
	private static final int MOST_KNOWN = 1000;

	/** For each request: those of a cause may be few among many. */
	private static final int MOST_STEPS = 20;

	/** Redriving is a few commands for each task: not too many in one step. */
	private static final int CHUNK = 100;

	/** For so long a request counts. */
	private static final long MOST_NANOS = 150_000_000;

	/** For so long a count that nobody goes on with is kept: pages pause in between. */
	private static final long KEPT_NANOS = 120_000_000_000L;

	/** To count them takes the store a twentieth of the time at most. */
	private static final int REST = 20;

	DeadTasks(TaskStore store, LongSupplier nanoTime) {
		this(store, nanoTime, new ConcurrentHashMap<>());
	}

	/** Counting goes on with the next request where it takes long. */
	DeadDescriptor causes(String queue, RequestArguments arguments) {
		arguments.allowOnly("'dead'", Set.of());
		long now = this.nanoTime.getAsLong();
		this.counts.values().removeIf((count) -> count.isOver(now));
		return this.counts.computeIfAbsent(queue, (name) -> new Count()).goOn(queue);
	}

	private DeadDescriptor.Cause describe(DeadPage.Group group) {
		return new DeadDescriptor.Cause(group.cause(), group.tasks(), group.first(), group.last(), group.lastId(),
				Optional.ofNullable(group.failure())
					.map(FailureJson::readFailure)
					.map(TaskFailure::alone)
					.orElse(null));
	}

	TasksDescriptor tasks(String queue, RequestArguments arguments, int limit,
			Function<StoredTask, TaskDescriptor> describe) {
		if (arguments.state(TaskState.SCHEDULED, TaskState.values()) != TaskState.DEAD) {
			throw arguments.invalid("Only dead letters have a cause");
		}
		Found found = find(queue, arguments, limit, true);
		return new TasksDescriptor(TaskState.DEAD, 0, limit, found.tasks().stream().map(describe).toList(),
				found.cursor());
	}

	ActionDescriptor redrive(String queue, RequestArguments arguments) {
		DueSpan due = arguments.span();
		Found found = find(queue, arguments, limit(arguments), false);
		List<String> ids = found.tasks().stream().map(StoredTask::id).toList();
		long tasks = 0;
		for (int from = 0; from < ids.size(); from += CHUNK) {
			int to = Math.min(from + CHUNK, ids.size());
			tasks += Collections.frequency(
					QueueControl.of(this.store).redrive(queue, ids.subList(from, to), part(due, from, to, ids.size())),
					true);
		}
		return done(QueueAction.REDRIVE, queue, tasks, found);
	}

	/** For some of the tasks, from one place to before another. */
	private static DueSpan part(DueSpan due, int from, int to, int count) {
		long start = due.millis(from, count);
		return new DueSpan(Duration.ofMillis(start), Duration.ofMillis(due.millis(to, count) - start));
	}

	boolean redriveOne(String queue, String id, RequestArguments arguments) {
		arguments.allowOnly("'redrive' with an id", Set.of("id", "delay"));
		DueSpan due = arguments.span();
		this.counts.remove(queue);
		return QueueControl.of(this.store).redrive(queue, List.of(id), due).get(0);
	}

	/** What has died once more since it was found stays. */
	ActionDescriptor delete(String queue, RequestArguments arguments) {
		if (arguments.state(TaskState.DEAD, TaskState.DEAD, TaskState.COMPLETED) != TaskState.DEAD) {
			throw arguments.invalid("Only dead letters have a cause");
		}
		Found found = find(queue, arguments, limit(arguments), false);
		// page by page: by the time of the latest of all, one that has died once more, of
		// another cause, would be deleted
		long tasks = found.pages().stream().mapToLong((page) -> delete(queue, page)).sum();
		return done(QueueAction.DELETE, queue, tasks, found);
	}

	private long delete(String queue, List<StoredTask> tasks) {
		Map<String, Long> ids = tasks.stream()
			.collect(Collectors.toMap(StoredTask::id, (task) -> Generation.MAX, (one, other) -> one));
		Instant latest = tasks.stream().map(StoredTask::at).max(Comparator.naturalOrder()).orElse(Instant.MIN);
		return ids.isEmpty() ? 0 : QueueControl.of(this.store).purge(queue, TaskState.DEAD, ids, latest);
	}

	private ActionDescriptor done(QueueAction action, String queue, long tasks, Found found) {
		this.counts.remove(queue);
		return new ActionDescriptor(action.toString(), tasks, QueueView.of(this.store).stats(queue).dead(), null,
				found.cursor(), null);
	}

	private static int limit(RequestArguments arguments) {
		if (arguments.has("reason")) {
			throw arguments.invalid("Either a reason or a cause: some tasks at a time are selected by their cause");
		}
		return arguments.number("limit", TaskStore.MAX_BATCH, 1, TaskStore.MAX_BATCH);
	}

	/** Look until there are so many, or many others have been looked at. */
	private Found find(String queue, RequestArguments arguments, int limit, boolean whole) {
		Instant until = arguments.instant("until");
		DeadSearch search = new DeadSearch(arguments.cause(), (until != null) ? until : Instant.MAX,
				arguments.text("cursor"), limit, whole);
		List<List<StoredTask>> pages = new ArrayList<>();
		int left = limit;
		do {
			try {
				DeadPage page = QueueView.of(this.store).dead(queue, search);
				pages.add(page.tasks());
				left -= page.tasks().size();
				search = search.from(page.cursor()).withTasks(left);
			}
			catch (IllegalArgumentException ex) {
				throw arguments.invalid(ex.getMessage() + "; leave it out to begin anew");
			}
		}
		while (search.cursor() != null && left > 0 && pages.size() < MOST_STEPS);
		return new Found(pages, search.cursor());
	}

	private record Found(List<List<StoredTask>> pages, @Nullable String cursor) {

		List<StoredTask> tasks() {
			return this.pages.stream().flatMap(List::stream).toList();
		}

	}

	/** How far somebody has got with counting the dead letters of a queue. */
	final class Count {

		private final Map<String, DeadPage.Group> groups = new HashMap<>();

		private DeadSearch search = DeadSearch.byCause(Instant.MAX);

		private long looked;

		private long others;

		private long took;

		private @Nullable DeadDescriptor result;

		private volatile long until = DeadTasks.this.nanoTime.getAsLong() + KEPT_NANOS;

		boolean isOver(long now) {
			return this.until - now < 0;
		}

		synchronized DeadDescriptor goOn(String queue) {
			if (this.result != null) {
				return this.result;
			}
			long start = DeadTasks.this.nanoTime.getAsLong();
			boolean more;
			do {
				more = step(QueueView.of(DeadTasks.this.store).dead(queue, this.search));
			}
			while (more && DeadTasks.this.nanoTime.getAsLong() - start < MOST_NANOS);
			long now = DeadTasks.this.nanoTime.getAsLong();
			this.took += now - start;
			DeadDescriptor counted = describe();
			this.result = more ? null : counted;
			boolean many = this.looked > DeadSearch.MAX_LOOKS;
			this.until = now + (more ? KEPT_NANOS : many ? REST * this.took : -1);
			return counted;
		}

		private boolean step(DeadPage page) {
			this.looked += page.looked();
			for (DeadPage.Group group : page.groups()) {
				if (this.groups.size() < MOST_KNOWN || this.groups.containsKey(group.cause())) {
					this.groups.merge(group.cause(), group, DeadPage.Group::plus);
				}
				else {
					this.others += group.tasks();
				}
			}
			this.search = this.search.from(page.cursor());
			return page.cursor() != null && this.looked < MOST_COUNTED;
		}

		private DeadDescriptor describe() {
			List<DeadPage.Group> sorted = this.groups.values()
				.stream()
				.sorted(Comparator.comparingLong(DeadPage.Group::tasks)
					.thenComparing(DeadPage.Group::last)
					.reversed()
					.thenComparing(DeadPage.Group::cause))
				.toList();
			List<DeadPage.Group> shown = sorted.subList(0, Math.min(MOST_CAUSES, sorted.size()));
			long rest = sorted.subList(shown.size(), sorted.size()).stream().mapToLong(DeadPage.Group::tasks).sum();
			return new DeadDescriptor(this.looked, this.search.cursor() == null,
					shown.stream().map(DeadTasks.this::describe).toList(), this.others + rest);
		}

	}

}
