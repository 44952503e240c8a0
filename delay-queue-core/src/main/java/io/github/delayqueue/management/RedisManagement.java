package io.github.delayqueue.management;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DueMillis;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * Looks at the queues of a store in Redis and steers them. Every step is one script call
 * (or, where the contract says so, several). Public for wiring. Thread-safe.
 */
public final class RedisManagement implements QueueView, QueueControl {

	/**
	 * So many bytes of envelopes end an answer of {@code list.lua}: Redis does nothing
	 * else while it reads them.
	 */
	private static final long PAGE_BYTES = 1024 * 1024;

	/** Score and id of the last dead letter that was looked at. */
	private static final Pattern DEAD_CURSOR = Pattern
		.compile("(?:(-?(?:inf|\\d{1,20}(?:\\.\\d{1,20})?(?:e[+-]\\d{1,3})?)):(.*))?", Pattern.DOTALL);

	private final ScriptRunner scripts;

	private final QueueNames names;

	/** Create for a store, which is to be given this role. */
	public RedisManagement(RedisTaskStore store) {
		this.scripts = store.scripts();
		this.names = new QueueNames(this.scripts);
		store.beforeStop(this.names::settle);
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return this.scripts
			.run(this.scripts.call(ManagementScripts.LIST, queue).add("any").addId(taskId), LookReplies::tasks)
			.stream()
			.findFirst();
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		Bounds.requireLimit(limit);
		// others may move tasks between two calls
		Map<String, StoredTask> all = new LinkedHashMap<>();
		List<StoredTask> page;
		int done = 0;
		do {
			page = page(queue, state, offset + done, limit - done, contents);
			page.forEach((task) -> all.putIfAbsent(task.id(), task));
			done += page.size();
		}
		while (done < limit && bytes(page) >= PAGE_BYTES);
		return new ArrayList<>(all.values());
	}

	private List<StoredTask> page(String queue, TaskState state, int offset, int limit, Contents contents) {
		ScriptCall call = this.scripts.call(ManagementScripts.LIST, queue).add(state).add(offset).add(limit);
		call.add((contents.maxBytes() == Integer.MAX_VALUE) ? "" : String.valueOf(contents.maxBytes()));
		return this.scripts.run(contents.dueOnly() ? call.add(this.scripts.now()) : call, LookReplies::tasks);
	}

	private static long bytes(List<StoredTask> tasks) {
		return tasks.stream()
			.map(StoredTask::envelope)
			.filter(Objects::nonNull)
			.mapToLong((envelope) -> envelope.length)
			.sum();
	}

	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		Matcher cursor = DEAD_CURSOR.matcher(Objects.requireNonNullElse(search.cursor(), ""));
		if (!cursor.matches()) {
			throw new IllegalArgumentException("The cursor is not one that was returned");
		}
		return this.scripts.run(this.scripts.call(ManagementScripts.DEAD_TASKS, queue)
			.add(Objects.requireNonNullElse(search.cause(), ""))
			.add(DueMillis.bounded(search.until()))
			.add(Objects.requireNonNullElse(cursor.group(1), ""))
			.addId(Objects.requireNonNullElse(cursor.group(2), ""))
			.add(DeadSearch.MAX_LOOKS)
			.add(search.tasks())
			.add(search.whole() ? "1" : "0"), LookReplies::dead);
	}

	@Override
	public QueueStats stats(String queue) {
		ScriptCall call = at(ManagementScripts.STATS, queue);
		QueueStats.DELAY_BOUNDS.forEach((bound) -> call.add(bound.toMillis()));
		return this.scripts.run(call, LookReplies::stats);
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		ScriptCall call = at(ManagementScripts.FORECAST, queue).add(bars.start().toEpochMilli());
		return this.scripts.run(call.add(bars.step().toMillis()).add(bars.count()), LookReplies.forecast(bars.count()));
	}

	@Override
	public History history(String queue) {
		return this.scripts.run(at(ManagementScripts.HISTORY, queue), LookReplies::history);
	}

	@Override
	public Set<String> queues() {
		return this.names.all();
	}

	@Override
	public void announce(String queue) {
		this.names.announce(queue);
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		Bounds.requireBatch(taskIds);
		ScriptCall call = this.scripts.timed(ManagementScripts.REDRIVE, queue)
			.add(due.delay().toMillis())
			.add(due.length().toMillis());
		taskIds.forEach(call::addId);
		return taskIds.isEmpty() ? List.of() : this.scripts.run(call, Replies.flags(taskIds.size()));
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		Bounds.requireLimit(limit);
		return this.scripts.run(this.scripts.call(ManagementScripts.purging(state), queue).add(state).add(limit),
				Replies::number);
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		Bounds.requireBatch(generations.keySet());
		Script script = ManagementScripts.purging(state);
		List<String> ids = List.copyOf(generations.keySet());
		long purged = 0;
		for (long left = ids.size(); left > 0;) {
			ScriptCall call = this.scripts.call(script, queue).add(state).add(DueMillis.bounded(until));
			ids.subList(0, (int) left).forEach((id) -> call.addId(id).add(Generation.text(generations.get(id))));
			List<Long> step = this.scripts.run(call, LookReplies.numbers(2));
			purged += step.get(0);
			// whatever the reply says, this ends
			left = Math.min(step.get(1), left - 1);
		}
		return purged;
	}

	@Override
	public long clear(String queue) {
		return this.scripts.run(this.scripts.call(ManagementScripts.CLEAR, queue), Replies::number);
	}

	@Override
	public boolean forget(String queue) {
		this.names.forget(queue);
		boolean forgotten = this.scripts.run(this.scripts.call(ManagementScripts.FORGET, queue), Replies::flag);
		if (!forgotten && Sources.queue(queue).equals(queue)) {
			announce(queue);
		}
		return forgotten;
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		this.scripts.run(paused ? this.scripts.call(ManagementScripts.PAUSE, queue)
				: this.scripts.timed(ManagementScripts.RESUME, queue), Function.identity());
	}

	private ScriptCall at(Script script, String queue) {
		return this.scripts.call(script, queue).add(this.scripts.now());
	}

}
