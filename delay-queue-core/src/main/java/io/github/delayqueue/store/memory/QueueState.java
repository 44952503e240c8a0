package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.SourceNames;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.OtherSourcesException;
import io.github.delayqueue.store.OtherTableException;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;

/** One queue and the steps on it. Not safe for use by several threads. */
final class QueueState {

	private final TaskTable table = new TaskTable();

	private final Counters counters = new Counters();

	private final House house = new House(this.table, this.counters);

	private final Flow flow;

	/** Empty if nothing is known, as the field in Redis is missing then. */
	private String sources = "";

	private boolean paused;

	private boolean withdrew;

	private @Nullable Epoch epoch;

	/** The id of the table that the tasks are kept in, empty for none. */
	private String keptIn = "";

	QueueState(@Nullable DueOrder order) {
		this.flow = new Flow(this.table, order);
	}

	/** The mark by which a loss is noticed stays. */
	QueueState forgotten() {
		QueueState state = new QueueState(this.flow.order());
		state.epoch = this.epoch;
		return state;
	}

	TaskTable table() {
		return this.table;
	}

	ScheduleOutcome schedule(NewTask task, StepTime now) {
		TaskEntry known = this.table.get(task.id());
		if (known != null && !isReplacedBy(task, known)) {
			return ScheduleOutcome.REJECTED;
		}
		if (known != null) {
			forget(known);
		}
		this.counters.scheduled++;
		this.table.put(TaskEntry.scheduled(task, known, now));
		this.flow.mayTake();
		boolean isNew = task.generated() && task.onDuplicate() == Replacement.REPLACE;
		return (known != null && !isNew) ? ScheduleOutcome.REPLACED : ScheduleOutcome.CREATED;
	}

	private static boolean isReplacedBy(NewTask task, TaskEntry known) {
		return switch (task.onDuplicate()) {
			case REPLACE -> true;
			case REJECT -> false;
			case NEWER -> Generation.isLower(known.envelope(), Generation.of(task.envelope()));
		};
	}

	ClaimResult claim(ClaimRequest request, StepTime now) {
		this.house.noteHour(now);
		Flow.Gates gate = this.flow.gates(request.terms(), now);
		int limit = this.paused ? 0 : gate.most(request.limit());
		ClaimStep claim = new ClaimStep(this.table, this.flow, this.counters, request, now);
		List<ClaimedRecord> claimed = (limit > 0) ? claim.take(limit) : List.of();
		gate.take(claimed.size());
		// whoever keeps what is due from being taken knows when to ask again
		boolean later = claimed.isEmpty() && claim.leaves() || this.flow.holdsBack();
		long next = this.paused ? TaskTable.NEVER
				: Math.min(this.flow.moreFrom(), nextEvent(later ? now.millis() + 1 : 0));
		return new ClaimResult(claimed, now.instant(), (next != TaskTable.NEVER) ? gate.wakeIn(next) : null,
				this.paused,
				new ClaimNotes(List.of(), claim.leaves(), List.of(), this.house.isUntended(!claimed.isEmpty(), now)));
	}

	boolean settle(Settlement settlement, StepTime now) {
		TaskEntry entry = held(settlement.taskId(), settlement.token());
		if (entry == null) {
			this.counters.stale++;
			return false;
		}
		this.flow.makeRoom();
		end(entry, settlement.end(), now);
		return true;
	}

	private void end(TaskEntry entry, Settlement.End end, StepTime now) {
		DeliveryState ended = entry.deliveries().ended(end.countFailure());
		byte[] failure = (end.description() != null) ? end.description() : entry.failure();
		if (end instanceof Settlement.Complete complete) {
			this.counters.completed++;
			if (complete.keep()) {
				this.table.put(entry.movedTo(TaskState.COMPLETED, now.millis(), ended, null));
			}
			else {
				this.table.remove(entry.id());
			}
		}
		else if (end instanceof Settlement.Drop) {
			this.table.remove(entry.id());
			this.counters.cancelled++;
		}
		else if (end instanceof Settlement.DeadLetter) {
			this.table.put(entry.movedTo(TaskState.DEAD, now.millis(), ended, failure));
			this.counters.deadLettered++;
		}
		else if (end instanceof Settlement.Retry retry) {
			this.table.put(entry.scheduledAgain(due(retry.delay(), ended, now), ended, failure));
			this.counters.retried++;
		}
		else if (end instanceof Settlement.Release release) {
			this.table.put(entry.scheduledAgain(due(release.delay(), ended, now), ended, failure));
		}
		else if (end instanceof Settlement.Repeat repeat) {
			DueTime next = repeat.next();
			long at = next.relative() ? DueMillis.of(next, now.micros()) : next.millis();
			this.table.put(entry.movedTo(TaskState.SCHEDULED, at, DeliveryState.NONE, end.description()));
			this.counters.completed++;
			this.counters.scheduled++;
		}
		else if (end instanceof Settlement.Skip skip) {
			DeliveryState left = ended.skipped(end.countFailure());
			this.table.put(entry.scheduledAgain(DueTime.at(skip.next()).millis(), left, failure));
			this.counters.retried += end.countFailure() ? 1 : 0;
		}
	}

	/** What handlers took for settlements, by the share of them that was applied. */
	void handled(List<Settlement> settlements, int applied) {
		this.counters.handled(settlements, applied);
	}

	House house() {
		return this.house;
	}

	/** Consumers may wait for a task in flight to end, and its own is to hear of it. */
	private void leaves(TaskEntry entry) {
		if (entry.state() == TaskState.IN_FLIGHT) {
			this.flow.makeRoom();
			this.withdrew = true;
		}
	}

	/** Whether tasks were taken from who holds them, since this was last asked. */
	boolean withdrew() {
		boolean withdrew = this.withdrew;
		this.withdrew = false;
		return withdrew;
	}

	/** Not later than there is, but earlier than now, if that is what it says. */
	private static long due(@Nullable Duration delay, DeliveryState deliveries, StepTime now) {
		return (delay != null) ? DueMillis.of(DueTime.in(delay), now.micros()) : deliveries.due();
	}

	/** Whether consumers wait for a delivery to end. */
	boolean isFull() {
		return this.flow.isFull();
	}

	boolean extend(Extension extension, StepTime now) {
		TaskEntry entry = held(extension.taskId(), extension.token());
		if (entry == null) {
			return false;
		}
		this.table.put(entry.movedTo(now.millisAfter(extension.leaseDuration())));
		return true;
	}

	private @Nullable TaskEntry held(String taskId, String token) {
		TaskEntry entry = this.table.get(taskId, TaskState.IN_FLIGHT);
		return (entry != null && token.equals(entry.deliveries().token())) ? entry : null;
	}

	boolean cancel(String taskId, Condition condition) {
		TaskEntry entry = this.table.get(taskId);
		if (entry == null || entry.state() == TaskState.COMPLETED || entry.state() == TaskState.DEAD
				|| entry.generation() > Generation.of(condition).orElse(Generation.MAX)) {
			return false;
		}
		this.table.remove(taskId);
		this.counters.cancelled++;
		leaves(entry);
		this.flow.mayTake();
		return true;
	}

	boolean reschedule(String taskId, DueTime due, Condition condition, StepTime now) {
		TaskEntry entry = this.table.get(taskId, TaskState.SCHEDULED);
		OptionalLong expected = Generation.of(condition);
		if (entry == null || (expected.isPresent() && entry.generation() != expected.getAsLong())) {
			return false;
		}
		TaskEntry moved = expected.isPresent() ? entry.of(Long.parseLong(condition.next())) : entry;
		this.table.put(moved.movedTo(DueMillis.of(due, now.micros())));
		this.flow.mayTake();
		return true;
	}

	List<Boolean> redrive(List<String> taskIds, DueSpan due, StepTime now) {
		List<Boolean> redriven = new ArrayList<>();
		for (String taskId : taskIds) {
			TaskEntry entry = this.table.get(taskId, TaskState.DEAD);
			if (entry != null) {
				long at = now.millis() + due.millis(redriven.size(), taskIds.size());
				this.table.put(entry.movedTo(TaskState.SCHEDULED, at, DeliveryState.NONE, entry.failure()));
				this.counters.redriven++;
			}
			redriven.add(entry != null);
		}
		this.flow.mayTake();
		return redriven;
	}

	long purge(TaskState state, int limit) {
		return new Trimming(this.table, this.counters).remove(state, TaskTable.NEVER, limit).size();
	}

	long purge(TaskState state, Map<String, Long> generations, long untilMillis) {
		List<String> over = generations.keySet().stream().filter((id) -> {
			TaskEntry entry = this.table.get(id, state);
			return entry != null && entry.generation() <= generations.get(id) && entry.score() <= untilMillis;
		}).toList();
		over.forEach(this.table::remove);
		this.counters.purged += (state == TaskState.DEAD) ? over.size() : 0;
		return over.size();
	}

	long clear() {
		long unfinished = this.table.size() - this.table.size(TaskState.COMPLETED);
		this.table.in(TaskState.IN_FLIGHT).forEach(this::leaves);
		this.table.clear();
		this.counters.cleared += unfinished;
		return unfinished;
	}

	/** Refuse a caller who knows another number of sources. */
	void requireSources(String source, String expected) {
		if (!expected.isEmpty() && !expected.equals(sources())) {
			throw new OtherSourcesException(source, this.sources);
		}
	}

	private String sources() {
		return this.sources.isEmpty() ? "1" : this.sources;
	}

	/** Refuse a caller who keeps the tasks in another table, or in none. */
	void requireTable(String source, String table) {
		if (!this.keptIn.isEmpty() && !this.keptIn.equals(table)) {
			throw new OtherTableException(source, this.keptIn, "");
		}
	}

	boolean adopt(String table) {
		this.epoch = null;
		this.keptIn = table;
		return true;
	}

	Epoch beat(Epoch known, String incarnation) {
		if (!this.keptIn.isEmpty() && !this.keptIn.equals(known.table())) {
			return ((this.epoch != null) ? this.epoch : new Epoch(incarnation, 0)).of(this.keptIn);
		}
		boolean older = this.epoch != null && this.epoch.incarnation().equals(known.incarnation())
				&& this.epoch.beat() < known.beat();
		this.epoch = (this.epoch != null && !older) ? new Epoch(this.epoch.incarnation(), this.epoch.beat() + 1)
				: new Epoch(incarnation, 1);
		this.keptIn = this.keptIn.isEmpty() ? known.table() : this.keptIn;
		return this.epoch.of(this.keptIn);
	}

	@Nullable Epoch epoch() {
		return this.epoch;
	}

	String learn(String number, boolean fresh) {
		boolean stays = fresh && (!this.sources.isEmpty() || this.counters.scheduled > 0);
		if (!number.isEmpty() && !stays) {
			this.sources = number;
		}
		return sources();
	}

	private void forget(TaskEntry entry) {
		this.table.remove(entry.id());
		// A completed task has been counted as such: replacing it is no second end
		if (entry.state() != TaskState.COMPLETED) {
			this.counters.replaced++;
		}
		leaves(entry);
	}

	/** After what time consumers are to be woken, {@code null} for never. */
	@Nullable Duration setPaused(boolean paused, StepTime now) {
		this.paused = paused;
		long next = nextEvent(0);
		return (paused || next == TaskTable.NEVER) ? null : now.until(next);
	}

	QueueStats stats(StepTime now) {
		return new QueueFigures(this.table, now).read(this.counters.toTotals(), this.paused,
				SourceNames.count(this.sources));
	}

	/** When the earliest scheduled task is due, {@link TaskTable#NEVER} for none. */
	long earliestDue() {
		return this.table.earliest(TaskState.SCHEDULED, 0);
	}

	/** When from a time on a claim could succeed, {@link TaskTable#NEVER} for none. */
	private long nextEvent(long from) {
		return Math.min(this.table.earliest(TaskState.SCHEDULED, from), this.table.earliest(TaskState.IN_FLIGHT, from));
	}

}
