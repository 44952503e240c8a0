package io.github.delayqueue.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;

/**
 * All that a store holds of a queue, in terms that every store can be put into.
 *
 * @param tasks the tasks by id
 * @param paused whether the queue is paused
 * @param partitions the numbers of partitions that it knows, empty if none
 * @param epoch name of its incarnation and number of beats, empty if there was none
 * @param totals its totals
 */
public record QueueImage(SortedMap<String, Task> tasks, boolean paused, String partitions, String epoch,
		Totals totals) {

	/**
	 * One task.
	 *
	 * @param state the index it is in
	 * @param priority its priority
	 * @param score what it is sorted by in its index
	 * @param deliveries what is remembered of its deliveries, {@code null} if nothing is
	 * @param envelope its content
	 * @param failure its last failure, {@code null} if there is none
	 */
	public record Task(TaskState state, TaskPriority priority, long score, @Nullable Deliveries deliveries,
			Bytes envelope, @Nullable Bytes failure) {

		@Override
		public String toString() {
			return "%s %s %s, %s, %s%s".formatted(this.state, this.priority, HistoryText.at(this.score),
					(this.deliveries != null) ? this.deliveries : "not delivered", this.envelope,
					(this.failure != null) ? ", failure " + this.failure : "");
		}

	}

	/**
	 * What is remembered of the deliveries of a task.
	 *
	 * @param failures how many failed
	 * @param expiries how many lost their lease
	 * @param due when the last one was due
	 * @param token who holds the task, {@code null} for nobody
	 */
	public record Deliveries(int failures, int expiries, long due, @Nullable String token) {

		@Override
		public String toString() {
			return "%d failures, %d expiries, was due %s%s".formatted(this.failures, this.expiries,
					HistoryText.at(this.due), (this.token != null) ? ", held by " + this.token : "");
		}

	}

	/**
	 * Bytes that are equal when their values are.
	 *
	 * @param latin1 a character for each byte
	 */
	public record Bytes(String latin1) {

		public static Bytes of(byte[] bytes) {
			return new Bytes(new String(bytes, StandardCharsets.ISO_8859_1));
		}

		@Override
		public String toString() {
			byte[] bytes = this.latin1.getBytes(StandardCharsets.ISO_8859_1);
			return ValueText.of((bytes.length > 8) ? Arrays.copyOf(bytes, 8) : bytes)
					+ ((bytes.length > 8) ? "… " + bytes.length + " bytes" : "");
		}

	}

	/**
	 * The image as text.
	 * @return a line for each task, and some more
	 */
	List<String> lines() {
		List<String> lines = new ArrayList<>();
		this.tasks.forEach((id, task) -> lines.add(HistoryText.id(id) + ": " + task));
		lines.add("paused: " + this.paused);
		lines.add("partitions: " + this.partitions);
		lines.add("epoch: " + this.epoch);
		lines.add(this.totals.toString());
		return lines;
	}

}
