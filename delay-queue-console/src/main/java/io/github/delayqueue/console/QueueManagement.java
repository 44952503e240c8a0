package io.github.delayqueue.console;

import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.store.Contents;
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
		ForecastDescriptor.class, HistoryDescriptor.class, FoundTasksDescriptor.class, DeadDescriptor.class })
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

	private final TaskSearch search;

	QueueManagement(TaskStore store, DelayQueueListenerContainerRegistry registry, DelayQueueOperations operations,
			TaskCodec codec, ManagementSettings settings, ConsumersCache consumers, TroubleRules rules) {
		this.store = store;
		this.operations = operations;
		this.settings = settings;
		this.listeners = new ListenerSwitch(registry, consumers);
		this.forecasts = new QueueForecasts(store, Clock.systemDefaultZone());
		this.dead = new DeadTasks(store, codec, System::nanoTime);
		this.overview = new QueueOverview(store, this.listeners, settings.journaled(), rules, this.forecasts,
				System::nanoTime);
		this.actions = new QueueActions(store, operations, this.listeners, this.dead);
		this.search = new TaskSearch(store, codec, this.listeners, Clock.systemUTC(), System::nanoTime);
	}

	/**
	 * A view of all queues.
	 * <ul>
	 * <li>with {@code id}: the task of that id, in whatever queues it is
	 * <li>with {@code recurring}, which is {@code true}: recurring tasks. There is no
	 * index of them: known are those that listeners of any instance declare, and those
	 * among the first hundred tasks of a state and queue
	 * <li>with {@code view}, which is {@code instances}: the instances that consume
	 * queues: those that are there, and those that have ended since yesterday, as of a
	 * short time ago; none if the store does not know them
	 * <li>otherwise queues that the store knows or this instance consumes, the most
	 * urgent first. One that cannot be read says why; after three that could not be
	 * reached, the others are not tried. If there are more than fit on the page, all of
	 * them, 5,000 at most, are read to know which are urgent: for five seconds at a time,
	 * then the others, and for a tenth of the time at most. With {@code search}, what
	 * their names contain, in any case; {@code offset}, how many to skip; and
	 * {@code limit}, how many to return at most, 1 to 500, by default 50
	 * </ul>
	 * The first two look at 200 queues at most, in the order of their names, and for 200
	 * ms; with {@code cursor}, as the last result says, at the next ones. They take
	 * {@code search} as the overview does, and {@code limit}, how many queues to look at
	 * at most, 1 to 200.
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
				throw given.invalid("The view of all queues has to be: instances");
			}
			return look(() -> this.listeners.instances()
				.get()
				.map((known) -> InstancesDescriptor.of(known, this.listeners.registry().getInstance(), null))
				.orElse(new InstancesDescriptor(List.of())));
		}
		given.allowOnly("The overview", Set.of("search", "offset", "limit"));
		return look(() -> {
			SortedSet<String> all = names();
			int skip = given.number("offset", 0, 0, Integer.MAX_VALUE);
			int most = given.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH);
			return this.overview.page(all, matching(all, given.text("search")), skip, most);
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
	 * A closer view of one queue.
	 * <ul>
	 * <li>{@code tasks} with {@code id}: one task, with its headers, and with its payload
	 * where it may be shown
	 * <li>{@code tasks} with {@code state}, {@code offset}, {@code limit}: tasks of one
	 * state, without headers and payloads. The state is a {@link TaskState}, by default
	 * scheduled, or {@code due} for scheduled tasks whose time has come, in any case.
	 * Skips {@code offset} of them, 0 to 10,000, by default 0, and returns {@code limit}
	 * at most, 1 to 500, by default 50
	 * <li>{@code tasks} with the {@code state} {@code dead} and {@code cause},
	 * {@code until}, {@code limit}, and {@code cursor}, where to go on, as the last
	 * result says: those that have died of a cause, until some instant
	 * <li>{@code dead}: what the dead tasks have died of, up to 100,000 of them
	 * <li>{@code forecast} with {@code range}: how many tasks fall due in each minute of
	 * the next {@code hour}, the default, each quarter of an hour of the next
	 * {@code day}, or each day of the next {@code month}, which has 30 days
	 * <li>{@code history} with {@code hours}: what has happened in each of so many hours,
	 * 1 to 168, by default 168, and in the present one
	 * </ul>
	 * @param arguments what the view takes, and nothing else
	 * @param user who wants to see it; {@link SecurityContext#NONE} if that is not known
	 * @return a {@link TasksDescriptor}, {@link TaskDescriptor}, {@link DeadDescriptor},
	 * {@link ForecastDescriptor} or {@link HistoryDescriptor}
	 */
	public OperationResponseBody view(String queue, String view, Map<String, @Nullable String> arguments,
			SecurityContext user) {
		return look(() -> {
			RequestArguments given = new RequestArguments(require(queue), arguments);
			return switch (view) {
				case "tasks" -> given.has("id") ? task(queue, given, user) : tasks(queue, given);
				case "dead" -> this.dead.causes(queue, given);
				case "forecast" -> this.forecasts.forecast(queue, given);
				case "history" -> this.forecasts.history(queue, given);
				default -> throw QueueRequestException.notFound(queue,
						"The views of a queue are: dead, forecast, history, tasks");
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
				this.store.view()
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
	 * Change a queue or a task of it.
	 * <ul>
	 * <li>{@code allowed}: nothing, of a queue that need not be there; who may change
	 * nothing gets no answer to it
	 * <li>{@code pause}, {@code resume}: the queue, on all instances
	 * <li>{@code run-now}: the scheduled task {@code id} is due now
	 * <li>{@code reschedule}: the scheduled task {@code id} is due after {@code delay},
	 * or at {@code at}
	 * <li>{@code cancel}: the task {@code id}, scheduled or in flight, is removed
	 * <li>{@code redrive}: the dead task {@code id} is due now, or after {@code delay};
	 * without id, the {@code limit} longest dead ones, 1 to 10,000, by default 1,000,
	 * with {@code reason} of those that have died for it
	 * <li>{@code delete}: the task {@code id}, dead or completed, is deleted; with
	 * {@code state}, the {@code limit} longest dead or completed ones, 1 to 10,000, by
	 * default 1,000, with {@code reason} of those that have died for it
	 * <li>{@code redrive}, {@code delete} with {@code cause}: dead tasks of that cause,
	 * {@code limit} at a time, 1 to 500, by default 500; those that were dead at
	 * {@code until}. The result has a {@code cursor} to go on with. Redriven ones are due
	 * after {@code delay}, evenly over {@code spread}
	 * <li>{@code start}, {@code stop}: the {@code listener} of this instance. Stopping
	 * goes on in the background if it takes longer than two seconds
	 * <li>{@code forget}: the queue, which has no tasks and no listener here, is not
	 * shown any more
	 * <li>{@code adopt}: the queue, with all tasks that the journal of this instance has.
	 * Those in the table of any other journal are not delivered any more. If it has no
	 * journal here, it has none from then on
	 * </ul>
	 * @param arguments what the action takes, and nothing else
	 * @param user who wants to do it, for the log; {@link SecurityContext#NONE} if that
	 * is not known
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
			OperationResponseBody answer = this.actions.perform(queue, what, given);
			if (what == QueueAction.ALLOWED) {
				return answer;
			}
			logger.info("Queue '{}': {} by request of {} ({})", queue, what, Users.name(user), given);
			return answer;
		});
	}

	private <T> T look(Supplier<T> request) {
		return answer(() -> this.looks.take(request));
	}

	private static <T> T answer(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (QueueRequestException ex) {
			throw ex;
		}
		catch (DelayQueueException ex) {
			throw new QueueRequestException((ex instanceof StoreUnavailableException) ? 503 : 500, ex.getQueue(),
					String.valueOf(ex.getMessage()), ex);
		}
	}

	private String require(String queue) {
		if (!names().contains(queue)) {
			throw QueueRequestException.notFound(queue, "There is no queue '" + Names.printable(queue) + "'");
		}
		return queue;
	}

	private SortedSet<String> names() {
		SortedSet<String> names = new TreeSet<>(this.store.view().queues());
		names.addAll(this.listeners.queues());
		return names;
	}

}
