package io.github.delayqueue.console;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

/**
 * Shows and changes queues, within bounds, and explains refusals: the one place behind
 * everything that is served over HTTP or JMX. Arguments are text, as they come;
 * {@code null} is one that was not sent. Public for wiring. Thread-safe.
 * <p>
 * <b>Cost</b>: every answer takes a bounded number of steps of the store for each queue
 * concerned, each of bounded cost, however many tasks are in it. Four requests of an
 * instance look at queues at a time; eight others wait, for up to a second.
 * <p>
 * <b>Errors</b>: every method throws {@link QueueRequestException}, and nothing else of
 * the delay queue.
 */
@RegisterReflectionForBinding({ InstancesDescriptor.class, QueuesDescriptor.class, QueueDescriptor.class,
		UnreadableQueueDescriptor.class, TasksDescriptor.class, TaskDescriptor.class, ActionDescriptor.class,
		ForecastDescriptor.class, HistoryDescriptor.class, TimesDescriptor.class, FoundTasksDescriptor.class,
		DeadDescriptor.class, ChangesDescriptor.class, GroupsDescriptor.class, QueueActions.RawJson.class })
public class QueueManagement {

	private static final Logger logger = LoggerFactory.getLogger(QueueManagement.class);

	private static final int DEFAULT_LIMIT = 50;

	private static final String ASKED = QueueAction.ALLOWED.toString();

	private final TaskStore store;

	private final DelayQueueOperations operations;

	private final ManagementSettings settings;

	private final Looks looks = new Looks(Looks.PATIENCE);

	private final ListenerSwitch listeners;

	private final QueueForecasts forecasts;

	private final DeadTasks dead;

	private final QueueOverview overview;

	private final QueueActions actions;

	private final QueueGroups groups;

	private final TaskSearch search;

	private final Changes changes;

	QueueManagement(TaskStore store, DelayQueueListenerContainerRegistry registry, DelayQueueOperations operations,
			TaskCodec codec, ManagementSettings settings, ConsumersCache consumers, TroubleRules rules) {
		this.store = store;
		this.operations = operations;
		this.settings = settings;
		this.listeners = new ListenerSwitch(registry, consumers);
		this.forecasts = new QueueForecasts(store, Clock.systemDefaultZone());
		this.dead = new DeadTasks(store, System::nanoTime);
		this.overview = new QueueOverview(store, this.listeners, settings.journaled(), rules, this.forecasts,
				System::nanoTime);
		this.groups = new QueueGroups(store, operations, System::nanoTime);
		this.search = new TaskSearch(store, codec, this.listeners, Clock.systemUTC(), System::nanoTime);
		this.actions = new QueueActions(store, operations, this.search, this.listeners, this.dead, this.groups);
		this.changes = new Changes(store);
	}

	/**
	 * A view of all queues: the most urgent first, or by {@code sort}; with {@code id}
	 * the task of that id; with {@code recurring} recurring tasks; with
	 * {@code view=instances} the instances. The endpoint's document has what each takes
	 * and returns.
	 * @param arguments what the view takes, and nothing else
	 * @return a {@link FoundTasksDescriptor}, {@link InstancesDescriptor} or
	 * {@link QueuesDescriptor}
	 */
	public OperationResponseBody view(Map<String, @Nullable String> arguments) {
		RequestArguments given = new RequestArguments(null, arguments);
		if (given.has("id")) {
			return look(() -> this.search.find(matching(names(), given.text("search")), given));
		}
		if (given.has("recurring")) {
			return look(() -> this.search.recurring(matching(names(), given.text("search")), given));
		}
		if (given.has("view")) {
			given.allowOnly("The view of instances", Set.of("view"));
			if (!"instances".equals(given.text("view"))) {
				throw given.invalid("The view of all queues must be: instances");
			}
			return look(() -> this.listeners.instances()
				.get()
				.map((known) -> InstancesDescriptor.of(known, this.listeners.registry().getInstance(), null))
				.orElse(new InstancesDescriptor(List.of())));
		}
		given.allowOnly("The overview", Set.of("search", "offset", "limit", "sort", "since"));
		Comparator<QueueRank> order = QueueRank.order(given);
		return look(() -> {
			SortedSet<String> all = names();
			int skip = given.number("offset", 0, 0, Integer.MAX_VALUE);
			int most = given.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH);
			return this.overview.page(all, matching(all, given.text("search")), order, skip, most, given.text("since"));
		});
	}

	private static List<String> matching(SortedSet<String> names, @Nullable String search) {
		String part = (search != null) ? search.toLowerCase(Locale.ROOT) : "";
		return names.stream().filter((name) -> name.toLowerCase(Locale.ROOT).contains(part)).toList();
	}

	/** One queue; if the store refuses its figures, an entry that says why. */
	public QueueEntry queue(String queue) {
		return look(() -> this.overview.describe(require(queue)));
	}

	/**
	 * A closer view of one queue: {@code tasks}, of a state, a cause or an id.
	 * {@code dead}, what its dead letters have died of, {@code forecast}, {@code groups},
	 * {@code history}, {@code times}, {@code changes}, who has changed it, and
	 * {@code search}, its tasks with a text.
	 * @param arguments what the view takes, and nothing else
	 * @param user who wants to see it; {@link SecurityContext#NONE} if that is not known
	 * @return a {@link TasksDescriptor}, {@link TaskDescriptor}, {@link DeadDescriptor},
	 * {@link ForecastDescriptor}, {@link HistoryDescriptor}, {@link TimesDescriptor},
	 * {@link ChangesDescriptor}, {@link GroupsDescriptor} or {@link FoundTasksDescriptor}
	 */
	public OperationResponseBody view(String queue, String view, Map<String, @Nullable String> arguments,
			SecurityContext user) {
		return look(() -> {
			RequestArguments given = new RequestArguments(require(queue), arguments);
			return switch (view) {
				case "tasks" -> given.has("id") ? task(queue, given, user) : tasks(queue, given);
				case "changes" -> this.changes.of(queue, given);
				case "dead" -> this.dead.causes(queue, given);
				case "forecast" -> this.forecasts.forecast(queue, given);
				case "groups" -> this.groups.groups(queue, given);
				case "history" -> this.forecasts.history(queue, given);
				case "search" -> this.search.search(queue, given, this.settings.isShown(user));
				case "times" -> this.forecasts.times(queue, given);
				default -> throw QueueRequestException.notFound(queue,
						"The views of a queue are: changes, dead, forecast, groups, history, search, tasks, times");
			};
		});
	}

	private TasksDescriptor tasks(String queue, RequestArguments arguments) {
		if (arguments.has("cause")) {
			arguments.allowOnly("'tasks' of a cause", Set.of("state", "cause", "until", "limit", "cursor"));
			int limit = arguments.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH);
			return this.dead.tasks(queue, arguments, limit, this.search::describe);
		}
		arguments.allowOnly("'tasks' of a state", Set.of("state", "offset", "limit"));
		RequestArguments.Listed listed = arguments.listed();
		Contents contents = (listed == RequestArguments.Listed.DUE) ? Contents.SMALL.ofDue() : Contents.SMALL;
		int offset = arguments.number("offset", 0, 0, DelayQueueTemplate.MAX_OFFSET);
		int limit = arguments.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH);
		return new TasksDescriptor(listed.state(), offset, limit,
				QueueView.of(this.store)
					.list(queue, listed.state(), offset, limit, contents)
					.stream()
					.map(this.search::describe)
					.toList(),
				null);
	}

	private TaskDescriptor task(String queue, RequestArguments arguments, SecurityContext user) {
		arguments.allowOnly("'tasks' with an id", Set.of("id"));
		String id = arguments.taskId();
		return this.operations.find(queue, id)
			.map((task) -> TaskDescriptor.of(task, this.search.nextRuns(task.recurrence(), task.state(), task.dueAt()),
					this.settings.isShown(user)))
			.orElseThrow(() -> QueueRequestException.noSuchTask(queue, id));
	}

	/**
	 * Change a queue or a task of it: see {@link QueueAction}.
	 * @param arguments what the action takes, and nothing else
	 * @param user who wants to do it, which is logged and noted;
	 * {@link SecurityContext#NONE} if that is not known
	 * @return an {@link ActionDescriptor}
	 */
	public OperationResponseBody act(String queue, @Nullable String action, Map<String, @Nullable String> arguments,
			SecurityContext user) {
		return answer(() -> {
			if (this.settings.access() != Access.UNRESTRICTED) {
				throw new QueueRequestException(403, queue, "Queues are read-only here: to change them set "
						+ "management.endpoint.delayqueue.access=unrestricted", null);
			}
			QueueAction what = QueueAction.of(ASKED.equals(action) ? queue : require(queue), action);
			RequestArguments given = new RequestArguments(queue, arguments);
			given.allowOnly("'" + what + "'", what.arguments());
			ActionDescriptor answer = this.actions.perform(queue, what, given);
			if (what == QueueAction.ALLOWED) {
				return answer;
			}
			String name = Users.name(user);
			logger.info("Queue '{}': {} by request of {} ({})", queue, what,
					(name != null) ? "'" + name + "'" : "an unknown user", given);
			this.changes.note(queue, answer, (name != null) ? name : "anonymous", given);
			return answer;
		}, (ex) -> String.valueOf(ex.getMessage()));
	}

	private <T> T look(Supplier<T> request) {
		return answer(() -> this.looks.take(request), Looks::said);
	}

	private static <T> T answer(Supplier<T> request, Function<DelayQueueException, String> said) {
		try {
			return request.get();
		}
		catch (QueueRequestException ex) {
			throw ex;
		}
		catch (DelayQueueException ex) {
			throw new QueueRequestException((ex instanceof StoreUnavailableException) ? 503 : 500, ex.getQueue(),
					said.apply(ex), ex);
		}
	}

	private String require(String queue) {
		if (!names().contains(queue)) {
			throw QueueRequestException.notFound(queue, "There is no queue '" + Names.printable(queue) + "'");
		}
		return queue;
	}

	private SortedSet<String> names() {
		SortedSet<String> names = new TreeSet<>(QueueView.of(this.store).queues());
		names.addAll(this.listeners.queues());
		return names;
	}

}
