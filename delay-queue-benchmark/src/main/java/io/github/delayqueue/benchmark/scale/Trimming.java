package io.github.delayqueue.benchmark.scale;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Retention;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskStore;

/**
 * Lets many tasks die or be kept as completed, and then lets claims remove them because
 * retention or size allow no more.
 */
public final class Trimming {

	/** As many as a consumer claims at once. */
	private static final int BATCH = TaskStore.MAX_BATCH;

	/**
	 * As many as listeners settle, and the template schedules, at once where it takes
	 * long.
	 */
	private static final int HALF = BATCH / 2;

	private static final Duration TTR = Duration.ofSeconds(30);

	private static final long MAX_DEAD = 10;

	private static final byte[] FAILURE = "{}".getBytes(StandardCharsets.US_ASCII);

	private final TaskStore store;

	private final String queue;

	/**
	 * For one queue.
	 * @param store the store
	 * @param queue an empty queue
	 */
	public Trimming(TaskStore store, String queue) {
		this.store = store;
		this.queue = queue;
	}

	/**
	 * Let tasks end.
	 * @param count how many
	 * @param dead whether they die, or are completed and kept
	 */
	public void end(int count, boolean dead) {
		for (int done = 0; done < count; done += BATCH) {
			List<NewTask> tasks = new ArrayList<>();
			for (int i = done; i < Math.min(count, done + BATCH); i++) {
				tasks.add(new NewTask((dead ? "d" : "c") + i, Payloads.toJson(Payloads.of(i, 0)),
						DueTime.in(Duration.ZERO), TaskPriority.NORMAL, DuplicatePolicy.REPLACE));
			}
			inHalves(tasks, (half) -> this.store.schedule(this.queue, half));
			String token = "t" + done;
			List<ClaimedRecord> claimed = this.store.claim(this.queue, ClaimRequest.of(token, BATCH, TTR)).tasks();
			inHalves(claimed.stream().map((task) -> settlement(task.id(), token, dead)).toList(),
					(half) -> this.store.settle(this.queue, half));
		}
	}

	private static <T> void inHalves(List<T> all, Consumer<List<T>> call) {
		for (int from = 0; from < all.size(); from += HALF) {
			call.accept(all.subList(from, Math.min(all.size(), from + HALF)));
		}
	}

	private static Settlement settlement(String id, String token, boolean dead) {
		return dead ? Settlement.deadLetter(id, token, true, FAILURE) : Settlement.complete(id, token, true);
	}

	/**
	 * Claim until nothing more is removed.
	 * @return how many claims it took
	 */
	public int trim() {
		Retention retention = new Retention(Duration.ZERO, null, MAX_DEAD);
		ClaimRequest request = new ClaimRequest("trim", BATCH, BATCH, TTR, ClaimRequest.DEFAULT_MAX_BYTES, false,
				retention);
		int claims = 0;
		while (isLeft()) {
			this.store.claim(this.queue, request);
			claims++;
		}
		return claims;
	}

	private boolean isLeft() {
		QueueStats stats = this.store.stats(this.queue);
		return stats.completed() > 0 || stats.dead() > MAX_DEAD;
	}

}
