package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.TaskPart;

/**
 * A call of a script, with its keys and the arguments that are added one by one. For
 * parts of the delay queue that have a {@link Script}. For one thread.
 */
public final class ScriptCall {

	private final Script script;

	private final @Nullable String queue;

	private final int keys;

	private final List<byte[]> values;

	ScriptCall(Script script, @Nullable String queue, List<byte[]> keys) {
		this.script = script;
		this.queue = queue;
		this.keys = keys.size();
		this.values = new ArrayList<>(keys);
	}

	public Script script() {
		return this.script;
	}

	public @Nullable String queue() {
		return this.queue;
	}

	/** How many of the values are keys: the first ones. */
	public int keys() {
		return this.keys;
	}

	public byte[][] keysAndArguments() {
		return this.values.toArray(byte[][]::new);
	}

	/** Add an argument. */
	public ScriptCall add(byte[] value) {
		this.values.add(value);
		return this;
	}

	/** Add an argument. */
	public ScriptCall add(String value) {
		return add(RedisKeys.bytes(value));
	}

	/** Add an id, whose bytes may be no text. */
	public ScriptCall addId(String id) {
		return add(IdText.encode(id));
	}

	/** Add an argument. */
	public ScriptCall add(long value) {
		return add(Long.toString(value));
	}

	/** Add an argument, by its name. */
	public ScriptCall add(Enum<?> value) {
		return add(value.name().toLowerCase(Locale.ROOT));
	}

	ScriptCall add(DueTime due) {
		return add(text(due));
	}

	/** As scripts take it. */
	static String text(DueTime due) {
		return (due.relative() ? "+" : "") + due.millis()
				+ ((due.earliestMillis() > 0) ? ">" + due.earliestMillis() : "");
	}

	/** When a task is due, and behind that its parts. */
	static String text(NewTask task) {
		String text = text(task.due());
		for (TaskPart part : task.parts()) {
			text += part.argument();
		}
		return text;
	}

	/** An empty argument for {@code null}. */
	public ScriptCall addOptional(@Nullable Number value) {
		return add((value != null) ? value.toString() : "");
	}

	/** Rounded up; an empty argument for {@code null}. */
	public ScriptCall addMillis(@Nullable Duration duration) {
		return addOptional((duration != null) ? DueTime.in(duration).millis() : null);
	}

	/**
	 * Add when tasks are due, if together; ids and envelopes; when each is due, if not.
	 */
	public ScriptCall addTasks(List<NewTask> tasks) {
		NewTask first = tasks.get(0);
		boolean together = true;
		for (NewTask task : tasks) {
			together = together && first.isDueLike(task);
		}
		add(together ? text(first) : "");
		for (NewTask task : tasks) {
			addId(task.id()).add(task.envelope());
		}
		for (int i = 0; !together && i < tasks.size(); i++) {
			add(text(tasks.get(i)));
		}
		return this;
	}

	/** What handlers took for all of them, then runs of those that end alike. */
	ScriptCall addSettlements(List<Settlement> settlements) {
		add(settlements.stream().filter(Settlement::late).count());
		add(settlements.stream().map(Settlement::handling).mapToLong(TimeUnit.MICROSECONDS::convert).sum());
		for (int i = 0; i < settlements.size();) {
			Settlement first = settlements.get(i);
			int end = endOfRun(settlements, i, Settlement::endsLike);
			add(first.token()).add(first.end()).add(end - i);
			for (; i < end; i++) {
				addId(settlements.get(i).taskId());
			}
		}
		return this;
	}

	/** Behind the last of those that are like the first one. */
	static <T> int endOfRun(List<T> all, int start, BiPredicate<T, T> alike) {
		int end = start + 1;
		while (end < all.size() && alike.test(all.get(start), all.get(end))) {
			end++;
		}
		return end;
	}

	private ScriptCall add(Settlement.End end) {
		if (end instanceof Settlement.Complete complete) {
			return add(end, complete.keep() ? "keep" : "complete", "");
		}
		if (end instanceof Settlement.Retry retry) {
			return add(end, "retry", millis(retry.delay()));
		}
		if (end instanceof Settlement.DeadLetter) {
			return add(end, "bury", "");
		}
		if (end instanceof Settlement.Release release) {
			return add(end, "release", (release.delay() != null) ? millis(release.delay()) : "");
		}
		if (end instanceof Settlement.Repeat repeat) {
			return add(end, "repeat", text(repeat.next()));
		}
		return (end instanceof Settlement.Skip skip) ? add(end, "skip", text(DueTime.at(skip.next())))
				: add(end, "drop", "");
	}

	private ScriptCall add(Settlement.End end, String action, String time) {
		byte[] description = end.description();
		return add(action).add(end.countFailure() ? "1" : "0")
			.add(time)
			.add((description != null) ? description : new byte[0]);
	}

	private static String millis(Duration delay) {
		return Long.toString(DueTime.in(delay).millis());
	}

	public <T> T read(List<?> reply, Function<List<?>, T> reader) {
		return Replies.read(this.script.stepName(), this.queue, reply, reader);
	}

}
