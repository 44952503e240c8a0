package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.delayqueue.TaskState;

/**
 * One operation of a history, as a value: it can be applied to any store, again and
 * again, printed, and made simpler. Tokens are those that claims of the same history
 * bring along, so that an operation keeps its meaning when others are left out.
 */
sealed interface HistoryOperation {

	/**
	 * Have a store do it.
	 * @param store the store
	 * @param queue the queue of the history
	 * @return what the store answers
	 */
	Object applyTo(TaskStore store, String queue);

	/**
	 * The operation with one thing less to it.
	 * @return such operations, boldest first, none if this is as simple as it gets
	 */
	default Stream<HistoryOperation> simpler() {
		return Stream.empty();
	}

	/**
	 * The word that counts of operations go by.
	 * @return a word in lower case
	 */
	default String kind() {
		return getClass().getSimpleName().toLowerCase(Locale.ROOT);
	}

	/**
	 * Turns the clock of both stores.
	 *
	 * @param by by how much, negative for backward
	 */
	record Clock(Duration by) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return "";
		}

		@Override
		public String toString() {
			return "clock " + (this.by.isNegative() ? "-" : "+") + HistoryText.duration(this.by.abs());
		}

	}

	record Schedule(List<NewTask> tasks) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.schedule(queue, this.tasks);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			return Simpler.lists(this.tasks, Simpler::tasks).map(Schedule::new);
		}

		@Override
		public String toString() {
			return "schedule " + HistoryText.list(this.tasks,
					(task) -> "%s %s %s %s %s".formatted(HistoryText.id(task.id()), HistoryText.due(task.due()),
							task.priority(), task.onDuplicate(), HistoryText.bytes(task.envelope())));
		}

	}

	record Claim(ClaimRequest request) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.claim(queue, this.request);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			return Simpler.requests(this.request).map(Claim::new);
		}

		@Override
		public String toString() {
			ClaimRequest its = this.request;
			return "claim as %s: limit %d, expired %d, ttr %s%s%s, keep %s".formatted(its.token(), its.limit(),
					its.expiredLimit(), HistoryText.duration(its.ttr()),
					(its.maxBytes() != ClaimRequest.DEFAULT_MAX_BYTES) ? ", " + its.maxBytes() + " bytes" : "",
					its.oldestFirst() ? ", oldest first" : "", HistoryText.retention(its.retention()));
		}

	}

	record Settle(List<Settlement> settlements) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.settle(queue, this.settlements);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			return Simpler.lists(this.settlements, Simpler::settlements).map(Settle::new);
		}

		@Override
		public String toString() {
			return "settle " + HistoryText.list(this.settlements, Settle::text);
		}

		private static String text(Settlement its) {
			return "%s with %s: %s%s%s%s".formatted(HistoryText.id(its.taskId()), its.token(), its.action(),
					its.countFailure() ? ", a failure" : "",
					(its.delay() != null) ? ", due in " + HistoryText.duration(its.delay()) : "",
					(its.failure() != null) ? ", failure of " + HistoryText.bytes(its.failure()) : "");
		}

	}

	record Extend(List<Extension> extensions) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.extend(queue, this.extensions);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			return Simpler.lists(this.extensions, (extension) -> Stream.empty()).map(Extend::new);
		}

		@Override
		public String toString() {
			return "extend " + HistoryText.list(this.extensions, (its) -> "%s with %s to %s"
				.formatted(HistoryText.id(its.taskId()), its.token(), HistoryText.duration(its.ttr())));
		}

	}

	record Cancel(String id) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.cancel(queue, this.id);
		}

		@Override
		public String toString() {
			return "cancel " + HistoryText.id(this.id);
		}

	}

	record Reschedule(String id, DueTime due) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.reschedule(queue, this.id, this.due);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			DueTime now = DueTime.in(Duration.ZERO);
			return this.due.equals(now) ? Stream.empty() : Stream.of(new Reschedule(this.id, now));
		}

		@Override
		public String toString() {
			return "reschedule " + HistoryText.id(this.id) + " " + HistoryText.due(this.due);
		}

	}

	record Redrive(List<String> ids) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.redrive(queue, this.ids);
		}

		@Override
		public Stream<HistoryOperation> simpler() {
			return Simpler.lists(this.ids, (id) -> Stream.empty()).map(Redrive::new);
		}

		@Override
		public String toString() {
			return "redrive " + HistoryText.list(this.ids, HistoryText::id);
		}

	}

	record Purge(TaskState state, int limit) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.purge(queue, this.state, this.limit);
		}

		@Override
		public String toString() {
			return "purge at most " + this.limit + " " + this.state;
		}

	}

	record Clear() implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.clear(queue);
		}

		@Override
		public String toString() {
			return "clear";
		}

	}

	record Pause() implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			store.pause(queue);
			return "";
		}

		@Override
		public String toString() {
			return "pause";
		}

	}

	record Resume() implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			store.resume(queue);
			return "";
		}

		@Override
		public String toString() {
			return "resume";
		}

	}

	record Find(String id) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.find(queue, this.id).map(List::of).orElse(List.of());
		}

		@Override
		public String toString() {
			return "find " + HistoryText.id(this.id);
		}

	}

	record Page(TaskState state, int offset, int limit, boolean envelopes) implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.list(queue, this.state, this.offset, this.limit, this.envelopes);
		}

		@Override
		public String toString() {
			return "list at most %d %s after the first %d%s".formatted(this.limit, this.state, this.offset,
					this.envelopes ? "" : ", without envelopes");
		}

	}

	record Stats() implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			return store.stats(queue);
		}

		@Override
		public String toString() {
			return "stats";
		}

	}

	record Announce() implements HistoryOperation {

		@Override
		public Object applyTo(TaskStore store, String queue) {
			store.announce(queue);
			return store.queues().contains(queue);
		}

		@Override
		public String toString() {
			return "announce";
		}

	}

}
