package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;

/**
 * One operation of a history, as a value: it can be applied to any store, again and
 * again, and printed. Tokens are those that claims of the same history bring along, so
 * that an operation keeps its meaning when others are left out.
 */
sealed interface HistoryOperation {

	/**
	 * Have a store do it.
	 * @param store the store
	 * @param queue the queue of the history
	 * @return what the store answers
	 */
	Object applyTo(SourceStore store, String queue);

	/**
	 * Turns the clock of both stores.
	 *
	 * @param by by how much, negative for backward
	 */
	record Clock(Duration by) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return "";
		}

		@Override
		public String toString() {
			return "clock " + (this.by.isNegative() ? "-" : "+") + HistoryText.duration(this.by.abs());
		}

	}

	record Schedule(String partitions, List<NewTask> tasks) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return this.partitions.isEmpty() ? store.schedule(queue, this.tasks)
					: store.schedule(queue, this.tasks, ScheduleOptions.NONE.knowing(this.partitions)).outcomes();
		}

		@Override
		public String toString() {
			return "schedule "
					+ HistoryText.list(this.tasks,
							(task) -> "%s %s %s %s %s".formatted(HistoryText.id(task.id()), HistoryText.due(task),
									task.priority(), task.generated() ? "GENERATED" : task.onDuplicate(),
									HistoryText.envelope(task.envelope())))
					+ (this.partitions.isEmpty() ? "" : ", knowing of partitions " + this.partitions);
		}

	}

	record Claim(ClaimRequest request) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.claim(queue, this.request);
		}

		@Override
		public String toString() {
			ClaimRequest its = this.request;
			ClaimTerms terms = its.terms();
			return "claim as %s: limit %d, lost leases %d, lease duration %s%s%s%s%s".formatted(its.token(),
					its.limit(), its.lostLeaseLimit(), HistoryText.duration(terms.leaseDuration()),
					(terms.maxBytes() != ClaimTerms.DEFAULT_MAX_BYTES) ? ", " + terms.maxBytes() + " bytes" : "",
					its.oldestFirst() ? ", oldest first" : "", HistoryText.parts(terms.parts()),
					(terms.maxLeaseLosses() != null) ? ", " + (its.takesLastChance() ? "one" : "none")
							+ " that has lost " + (terms.maxLeaseLosses() - 1) + " leases" : "");
		}

	}

	record Tend(Retention retention) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.tend(queue, this.retention);
		}

		@Override
		public String toString() {
			return "tend, keep " + HistoryText.retention(this.retention);
		}

	}

	record Settle(List<Settlement> settlements) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.settle(queue, this.settlements);
		}

		@Override
		public String toString() {
			return "settle " + HistoryText.list(this.settlements, Settle::text);
		}

		private static String text(Settlement its) {
			byte[] description = its.end().description();
			return "%s with %s: %s%s".formatted(HistoryText.id(its.taskId()), its.token(),
					its.end().toString().replaceAll(",? ?description=[^,\\]]*", ""),
					(description != null) ? ", description of " + HistoryText.bytes(description) : "");
		}

	}

	record Extend(List<Extension> extensions) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.extend(queue, this.extensions);
		}

		@Override
		public String toString() {
			return "extend " + HistoryText.list(this.extensions, (its) -> "%s with %s to %s"
				.formatted(HistoryText.id(its.taskId()), its.token(), HistoryText.duration(its.leaseDuration())));
		}

	}

	record Cancel(String id) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.cancel(queue, this.id);
		}

		@Override
		public String toString() {
			return "cancel " + HistoryText.id(this.id);
		}

	}

	record Reschedule(String id, DueTime due) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.reschedule(queue, this.id, this.due);
		}

		@Override
		public String toString() {
			return "reschedule " + HistoryText.id(this.id) + " " + HistoryText.due(this.due);
		}

	}

	record Redrive(List<String> ids) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return QueueControl.of(store).redrive(queue, this.ids);
		}

		@Override
		public String toString() {
			return "redrive " + HistoryText.list(this.ids, HistoryText::id);
		}

	}

	record Purge(TaskState state, int limit) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return QueueControl.of(store).purge(queue, this.state, this.limit);
		}

		@Override
		public String toString() {
			return "purge at most " + this.limit + " " + this.state;
		}

	}

	record Clear() implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return QueueControl.of(store).clear(queue);
		}

		@Override
		public String toString() {
			return "clear";
		}

	}

	record Pause() implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			QueueControl.of(store).setPaused(queue, true);
			return "";
		}

		@Override
		public String toString() {
			return "pause";
		}

	}

	record Resume() implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			QueueControl.of(store).setPaused(queue, false);
			return "";
		}

		@Override
		public String toString() {
			return "resume";
		}

	}

	record Find(String id) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.find(queue, this.id).map(List::of).orElse(List.of());
		}

		@Override
		public String toString() {
			return "find " + HistoryText.id(this.id);
		}

	}

	record Page(TaskState state, int offset, int limit, boolean envelopes) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return QueueView.of(store)
				.list(queue, this.state, this.offset, this.limit, this.envelopes ? Contents.ALL : Contents.NONE);
		}

		@Override
		public String toString() {
			return "list at most %d %s after the first %d%s".formatted(this.limit, this.state, this.offset,
					this.envelopes ? "" : ", without envelopes");
		}

	}

	record Glance(TaskState state, int offset, int limit) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return QueueView.of(store).list(queue, this.state, this.offset, this.limit, Contents.SMALL);
		}

		@Override
		public String toString() {
			return "glance at %d %s after the first %d at most".formatted(this.limit, this.state, this.offset);
		}

	}

	/** Figures, what falls due when, and what has happened. */
	record Stats() implements HistoryOperation {

		private static final Forecast.Bars BARS = new Forecast.Bars(TaskStoreFixture.START, Duration.ofMillis(1), 120);

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return List.of(QueueView.of(store).stats(queue), QueueView.of(store).forecast(queue, BARS),
					QueueView.of(store).history(queue));
		}

		@Override
		public String toString() {
			return "stats";
		}

	}

	record Announce() implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			QueueControl.of(store).announce(queue);
			return QueueView.of(store).queues().contains(queue);
		}

		@Override
		public String toString() {
			return "announce";
		}

	}

	/**
	 * Lets the partition know a number of partitions.
	 *
	 * @param number the number, empty only to look
	 * @param fresh whether only if it knows none and has had no task
	 */
	record Learn(String number, boolean fresh) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.learn(queue, this.number, this.fresh);
		}

		@Override
		public String toString() {
			return "learn " + (this.number.isEmpty() ? "nothing" : this.number) + (this.fresh ? " if it is fresh" : "");
		}

	}

	/**
	 * Cancels what has no higher generation.
	 *
	 * @param id the task
	 * @param generation the generation
	 */
	record CancelOlder(String id, long generation) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.cancel(queue, this.id, Generation.upTo(this.generation));
		}

		@Override
		public String toString() {
			return "cancel " + HistoryText.id(this.id) + " not above " + this.generation;
		}

	}

	/**
	 * Reschedules what has a generation.
	 *
	 * @param id the task
	 * @param due the new due time
	 * @param expected the generation it has to have
	 * @param generation the new generation
	 */
	record RescheduleVersion(String id, DueTime due, long expected, long generation) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.reschedule(queue, this.id, this.due, Generation.exactly(this.expected, this.generation));
		}

		@Override
		public String toString() {
			return "reschedule " + HistoryText.id(this.id) + " of " + this.expected + " as " + this.generation + " "
					+ HistoryText.due(this.due);
		}

	}

	record Beat(Epoch known, String incarnation) implements HistoryOperation {

		@Override
		public Object applyTo(SourceStore store, String queue) {
			return store.beat(queue, this.known, this.incarnation);
		}

		@Override
		public String toString() {
			return "beat of " + this.incarnation + ", known are " + this.known;
		}

	}

}
