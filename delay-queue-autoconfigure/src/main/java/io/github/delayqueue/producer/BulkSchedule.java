package io.github.delayqueue.producer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Sends many tasks of any queues in few calls, and brings the results in order. While the
 * store works on a call, the next one is sent.
 */
final class BulkSchedule {

	/** More would only fill buffers. */
	private static final int MAX_UNDER_WAY = 2;

	private final TaskSender sender;

	private final List<EncodedTask> tasks;

	private final ScheduleResult[] results;

	private final Deque<Chunk> underWay = new ArrayDeque<>();

	/** What is being sent or waited for. */
	private @Nullable Chunk current;

	private int done;

	/** When the last answer was there, in terms of {@link System#nanoTime()}. */
	private long answeredAt = System.nanoTime();

	BulkSchedule(TaskSender sender, List<EncodedTask> tasks) {
		this.sender = sender;
		this.tasks = tasks;
		this.results = new ScheduleResult[tasks.size()];
	}

	List<ScheduleResult> run() {
		Map<String, List<Integer>> positionsByLane = new LinkedHashMap<>();
		for (int i = 0; i < this.tasks.size(); i++) {
			positionsByLane.computeIfAbsent(this.sender.lane(this.tasks.get(i)), (lane) -> new ArrayList<>()).add(i);
		}
		try {
			positionsByLane.values().forEach(this::sendAll);
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
		return Arrays.asList(this.results);
	}

	private void sendAll(List<Integer> positions) {
		String queue = this.tasks.get(positions.get(0)).queue();
		Pace pace = this.sender.pace(queue);
		int next = 0;
		while (next < positions.size()) {
			Batch batch = new Batch(pace.tasks());
			int first = next;
			while (next < positions.size() && batch.add(this.tasks.get(positions.get(next)))) {
				next++;
			}
			send(queue, batch, positions.subList(first, next), pace);
		}
	}

	private void send(String queue, Batch batch, List<Integer> positions, Pace pace) {
		// a call that the store refuses is repeated, and must not come after a later one
		finish(batch.isAllGenerated() ? MAX_UNDER_WAY - 1 : 0);
		this.current = new Chunk(queue, positions, pace);
		this.current.answer = this.sender.sendAhead(queue, batch.tasks());
		this.underWay.add(this.current);
	}

	/**
	 * Wait for answers.
	 * @param left how many calls may be left under way
	 */
	private void finish(int left) {
		while (this.underWay.size() > left) {
			this.current = this.underWay.remove();
			record(this.current);
		}
	}

	private void record(Chunk chunk) {
		List<ScheduleResult> sent = Objects.requireNonNull(chunk.answer).get();
		for (int i = 0; i < sent.size(); i++) {
			this.results[chunk.positions.get(i)] = sent.get(i);
		}
		this.done += sent.size();
		long now = System.nanoTime();
		// the store began with it when it had done the one before
		chunk.pace.took(sent.size(), now - Math.max(chunk.sentAt, this.answeredAt));
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
			return ex.after(Arrays.stream(this.results).filter(Objects::nonNull).toList(), this.tasks.size());
		}
		Chunk chunk = Objects.requireNonNull(this.current);
		return StoreErrors.withProgress(error, chunk.queue, "tried for " + chunk.positions.size() + " tasks; "
				+ this.done + " of " + this.tasks.size() + " are scheduled");
	}

	/**
	 * A call.
	 */
	private static final class Chunk {

		private final String queue;

		/** Of its tasks, among all. */
		private final List<Integer> positions;

		/** Waits for the answer; {@code null} as long as it is not sent. */
		private @Nullable Supplier<List<ScheduleResult>> answer;

		private final Pace pace;

		private final long sentAt = System.nanoTime();

		Chunk(String queue, List<Integer> positions, Pace pace) {
			this.queue = queue;
			this.positions = positions;
			this.pace = pace;
		}

	}

}
