package io.github.delayqueue.bulk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.producer.EncodedTask;
import io.github.delayqueue.producer.NotReplicatedException;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.StoreErrors;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.producer.TaskSender;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleReply;

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

	/** Redis does nothing else during a call: a few milliseconds, and not longer. */
	static final int CHUNK = 200;

	/** More bytes in one call would do its latency no good. */
	private static final long MAX_BYTES = 4 * 1024 * 1024;

	/** With fewer the store would be idle at times; more would only fill buffers. */
	private static final int UNDER_WAY = 3;

	private final TaskSender sender;

	private final int total;

	/** In the order in which their first tasks came. */
	private final Map<String, BulkLane> lanes = new LinkedHashMap<>();

	/** Of each task its lane: the next of those results is its own. */
	private final List<BulkLane> laneOfEach;

	private final Deque<Chunk> underWay = new ArrayDeque<>();

	/** What is being sent or waited for. */
	private @Nullable Chunk current;

	private int sent;

	private int done;

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
		BulkLane lane = this.lanes.computeIfAbsent(lane(this.sender, task),
				(name) -> new BulkLane(task.queue(), new ArrayDeque<>(), new ArrayDeque<>()));
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

	/** So many tasks, or fewer that are large; one of any size goes alone. */
	static <T> List<T> take(Deque<T> waiting, int most, Function<T, EncodedTask> task) {
		List<T> taken = new ArrayList<>();
		long bytes = 0;
		while (!waiting.isEmpty() && taken.size() < most) {
			bytes += task.apply(waiting.element()).bytes();
			if (bytes > MAX_BYTES && !taken.isEmpty()) {
				break;
			}
			taken.add(waiting.remove());
		}
		return taken;
	}

	private void sendUntil(int left) {
		while (waiting() > left) {
			sendNext(Collections.max(this.lanes.values(), Comparator.comparingInt((lane) -> lane.tasks.size())));
		}
	}

	private void sendNext(BulkLane lane) {
		List<NewTask> tasks = new ArrayList<>();
		boolean generated = true;
		for (EncodedTask task : take(lane.tasks, CHUNK, Function.identity())) {
			tasks.add(task.task());
			generated &= task.task().generated();
		}
		// a call that the store refuses is repeated, and must not come after a later one,
		// unless nobody knows its ids yet
		finish(generated ? UNDER_WAY - 1 : 0);
		this.sent += tasks.size();
		this.current = new Chunk(lane, tasks.size(), List::of);
		this.underWay.add(new Chunk(lane, tasks.size(), sendAhead(lane.queue, tasks)));
	}

	/** What is known at once is told at once. */
	private Supplier<List<ScheduleResult>> sendAhead(String queue, List<NewTask> tasks) {
		long start = System.nanoTime();
		Supplier<ScheduleReply> answer = this.sender.begin(queue, tasks, start);
		if (answer instanceof ScheduleReply) {
			List<ScheduleResult> results = this.sender.finish(queue, tasks, start, answer);
			return () -> results;
		}
		return () -> this.sender.finish(queue, tasks, start, answer);
	}

	/** Return the source of a task: those of one source can be sent together. */
	static String lane(TaskSender sender, EncodedTask task) {
		return sender.store().source(task.queue(), task.id());
	}

	/** Wait for answers, until so many calls at most are under way. */
	private void finish(int left) {
		while (this.underWay.size() > left) {
			this.current = this.underWay.remove();
			record(this.current);
		}
	}

	private void record(Chunk chunk) {
		chunk.lane.results.addAll(chunk.answer.get());
		this.done += chunk.tasks;
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
			return StoreErrors.withProgress(error, "tried for " + chunk.tasks + " tasks; " + progress);
		}
		return (this.sent > 0) ? StoreErrors.withProgress(error, progress) : error;
	}

	/** Tasks that can be sent together, and the results of the first ones. */
	private record BulkLane(String queue, Deque<EncodedTask> tasks, Queue<ScheduleResult> results) {

	}

	/** A call, whose answer is waited for. */
	private record Chunk(BulkLane lane, int tasks, Supplier<List<ScheduleResult>> answer) {

	}

}
