package io.github.delayqueue.console;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.console.ChangesDescriptor.Change;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;

/**
 * Remembers who has changed which queue: the latest changes of all queues, in a key of
 * their own. A store that is not in Redis remembers none. Thread-safe.
 */
final class Changes {

	static final int KEPT = 1000;

	private static final Logger logger = LoggerFactory.getLogger(Changes.class);

	private static final Script NOTE = Script.writing(Changes.class, "change.lua", "note who has changed a queue");

	private static final Script READ = Script.reading(Changes.class, "changes.lua", "read who has changed a queue");

	/** What of the arguments says what was changed, the closest first. */
	private static final List<String> SUBJECTS = List.of("id", "group", "cause", "listener", "reason", "state");

	/** Longer names of users are cut off. */
	private static final int MAX_USER = 100;

	/** As long as an id can be. */
	private static final int MAX_SUBJECT = Names.MAX_TASK_ID_BYTES;

	/** What somebody else has written there is passed over. */
	private static final Pattern CHANGE = Pattern
		.compile("(\\d{1,15})\t(\\d{0,18})\t[^\t]*\t([a-z-]{1,20})\t([^\t]{0," + MAX_USER + "})\t([^\t]*)");

	private static final int DEFAULT_LIMIT = 50;

	private final @Nullable RedisTaskStore store;

	Changes(TaskStore store) {
		this.store = store.role(RedisTaskStore.class);
	}

	/** Note a change that was made. If it cannot be noted, it was made even so. */
	void note(String queue, ActionDescriptor done, String user, RequestArguments arguments) {
		Long tasks = done.tasks();
		if (this.store == null || (tasks != null && tasks == 0)) {
			return;
		}
		String subject = SUBJECTS.stream().map(arguments::text).filter(Objects::nonNull).findFirst().orElse("");
		String change = String.join("\t", queue, done.action(), printable(user, MAX_USER),
				printable(subject, MAX_SUBJECT));
		try {
			this.store.scripts()
				.run(call(this.store, NOTE).add(this.store.scripts().now())
					.add((tasks != null) ? tasks.toString() : "")
					.add(change)
					.add(KEPT));
		}
		catch (RuntimeException ex) {
			logger.warn("Queue '{}' was changed, but who did it could not be noted", queue, ex);
		}
	}

	ChangesDescriptor of(String queue, RequestArguments arguments) {
		arguments.allowOnly("'changes'", Set.of("limit"));
		int limit = arguments.number("limit", DEFAULT_LIMIT, 1, TaskStore.MAX_BATCH);
		return new ChangesDescriptor((this.store == null) ? List.of()
				: this.store.scripts().run(call(this.store, READ).add(queue).add(KEPT).add(limit), Changes::read));
	}

	private static ScriptCall call(RedisTaskStore store, Script script) {
		return store.scripts().call(script, store.scripts().key("changes"));
	}

	private static List<Change> read(List<?> reply) {
		return reply.stream()
			.map(Replies::text)
			.map(CHANGE::matcher)
			.filter(Matcher::matches)
			.map(Changes::change)
			.toList();
	}

	private static Change change(MatchResult line) {
		return new Change(Instant.ofEpochMilli(Long.parseLong(line.group(1))), line.group(4), line.group(3),
				line.group(2).isEmpty() ? null : Long.valueOf(line.group(2)),
				line.group(5).isEmpty() ? null : line.group(5));
	}

	private static String printable(String text, int most) {
		return Names.printableText(text.substring(0, Math.min(most, text.length())));
	}

}
