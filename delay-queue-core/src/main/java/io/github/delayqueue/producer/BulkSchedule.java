package io.github.delayqueue.producer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Partitions;

/**
 * Sends many tasks of any queues in few calls, and brings the results in order. While the
 * store works on a call, the next one is sent, and others are written as JSON.
 */
final class BulkSchedule {

	/**
	 * So many tasks are written before the first is sent: if one of so few cannot be
	 * written, none is scheduled. Of more, no more than these wait in memory.
	 */
	static final int WRITTEN_AHEAD = 2000;

	private final TaskSender sender;

	private final int total;

	/** Of each queue, all the time: tasks of the same id are not to be in two lanes. */
	private final Map<String, List<String>> partitions = new HashMap<>();

	/** In the order in which their first tasks came. */
	private final Map<String, BulkLane> lanes = new LinkedHashMap<>();

	/** Of each task its lane: the next of those results is its own. */
	private final List<BulkLane> laneOfEach;

	private final Deque<Chunk> underWay = new ArrayDeque<>();

	/** What is being sent or waited for. */
	private @Nullable Chunk current;

	private int sent;

	private int done;

	/** How many tasks were written when the last call was sent. */
	private int lastWritten;

	/** When the last answer was there, in terms of {@link System#nanoTime()}. */
	private long answeredAt = System.nanoTime();

	BulkSchedule(TaskSender sender, int total) {
		this.sender = sender;
		this.total = total;
		this.laneOfEach = new ArrayList<>(total);
	}

	/** Write and send tasks. */
	List<ScheduleResult> run(Iterable<TaskRequest> requests, Function<TaskRequest, EncodedTask> encoder) {
		try {
			for (TaskRequest request : requests) {
				this.current = null;
				add(encoder.apply(request));
				if (waiting() > WRITTEN_AHEAD) {
					sendUntil(WRITTEN_AHEAD / 2);
				}
			}
			sendUntil(0);
			finish(0);
		}
		catch (RuntimeException ex) {
			finishRest(ex);
			throw described(ex);
		}
		catch (Error ex) {
			finishRest(ex);
			throw ex;
		}
		return results();
	}

	private void add(EncodedTask task) {
		List<String> partitions = this.partitions.computeIfAbsent(task.queue(), this.sender.store()::partitions);
		BulkLane lane = this.lanes.computeIfAbsent(Partitions.home(task.id(), partitions),
				(name) -> new BulkLane(task.queue(), this.sender.pace(task.queue())));
		lane.tasks.add(task);
		this.laneOfEach.add(lane);
	}

	/** As far as there are any. */
	private List<ScheduleResult> results() {
		List<ScheduleResult> results = new ArrayList<>(this.done);
		for (BulkLane lane : this.laneOfEach) {
			ScheduleResult result = lane.results.poll();
			if (result != null) {
				results.add(result);
			}
		}
		return results;
	}

	private int waiting() {
		return this.laneOfEach.size() - this.sent;
	}

	private void sendUntil(int left) {
		while (waiting() > left) {
			sendNext(Collections.max(this.lanes.values(), Comparator.comparingInt((lane) -> lane.tasks.size())));
		}
	}

	private void sendNext(BulkLane lane) {
		List<NewTask> tasks = EncodedTask.take(lane.tasks, lane.pace.tasks(), Function.identity())
			.stream()
			.map(EncodedTask::task)
			.toList();
		boolean written = this.laneOfEach.size() > this.lastWritten;
		this.lastWritten = this.laneOfEach.size();
		if (written) {
			this.underWay.forEach((chunk) -> chunk.duringWriting = true);
		}
		// a call that the store refuses is repeated, and must not come after a later one,
		// unless nobody knows its ids yet
		finish(tasks.stream().allMatch(NewTask::generated) ? lane.pace.underWay() - 1 : 0);
		this.sent += tasks.size();
		Chunk chunk = new Chunk(lane, tasks.size(), written);
		this.current = chunk;
		chunk.answer = this.sender.sendAhead(lane.queue, tasks);
		chunk.waited = System.nanoTime() - chunk.sentAt;
		this.underWay.add(chunk);
	}

	/** Wait for answers, until so many calls at most are under way. */
	private void finish(int left) {
		while (this.underWay.size() > left) {
			this.current = this.underWay.remove();
			record(this.current);
		}
	}

	private void record(Chunk chunk) {
		long asked = System.nanoTime();
		List<ScheduleResult> sent = Objects.requireNonNull(chunk.answer).get();
		long now = System.nanoTime();
		chunk.lane.results.addAll(sent);
		this.done += sent.size();
		// the store began with it when it had done the one before
		long took = now - Math.max(chunk.sentAt, this.answeredAt);
		if (!chunk.duringWriting && chunk.waited + now - asked >= took / 4) {
			chunk.lane.pace.took(sent.size(), took);
		}
		this.answeredAt = now;
	}

	/** What was sent behind a call that has failed. */
	private void finishRest(Throwable error) {
		while (!this.underWay.isEmpty()) {
			try {
				record(this.underWay.remove());
			}
			catch (RuntimeException ex) {
				error.addSuppressed(ex);
			}
		}
	}

	private RuntimeException described(RuntimeException error) {
		if (error instanceof NotReplicatedException ex) {
			return ex.after(results(), this.total);
		}
		String progress = this.done + " of " + this.total + " are scheduled";
		Chunk chunk = this.current;
		if (chunk != null) {
			return StoreErrors.withProgress(error, chunk.lane.queue,
					"tried for " + chunk.tasks + " tasks; " + progress);
		}
		return (this.sent > 0) ? StoreErrors.withProgress(error, progress) : error;
	}

	/**
	 * Tasks that can be sent together.
	 *
	 * @param tasks to be sent
	 * @param results of the first tasks, in their order
	 */
	private record BulkLane(String queue, Pace pace, Deque<EncodedTask> tasks, Queue<ScheduleResult> results) {

		BulkLane(String queue, Pace pace) {
			this(queue, pace, new ArrayDeque<>(), new ArrayDeque<>());
		}

	}

	/**
	 * A call.
	 */
	private static final class Chunk {

		private final BulkLane lane;

		private final int tasks;

		/**
		 * Whether others were written between the call before and its answer: when that
		 * came is not known then.
		 */
		private boolean duringWriting;

		private final long sentAt = System.nanoTime();

		/** Waits for the answer; {@code null} as long as it is not sent. */
		private @Nullable Supplier<List<ScheduleResult>> answer;

		/**
		 * For how long nothing else was done while it was sent; with little of it until
		 * the answer was there, it is not known when that came.
		 */
		private long waited;

		Chunk(BulkLane lane, int tasks, boolean duringWriting) {
			this.lane = lane;
			this.tasks = tasks;
			this.duringWriting = duringWriting;
		}

	}

}
