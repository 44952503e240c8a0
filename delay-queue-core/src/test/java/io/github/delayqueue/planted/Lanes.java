package io.github.delayqueue.planted;

import java.util.List;
import java.util.function.Function;

import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.TaskPart;
import io.github.delayqueue.store.redis.QueueHome;
import io.github.delayqueue.store.redis.ScriptCall;

/**
 * A part of which the library knows nothing: tasks of some queues are in lanes, of each
 * of which a claim takes so many.
 */
record Lanes(Function<String, QueueOptions> settings) implements QueueHome {

	static final Option<Integer> AT_ONCE = Option.number("lanes.at-once", 0, 0);

	private int atOnce(String queue) {
		return this.settings.apply(queue).get(AT_ONCE);
	}

	@Override
	public boolean owns(String source) {
		return atOnce(source) > 0;
	}

	@Override
	public List<String> keys() {
		return List.of(":waiting", ":lanes");
	}

	@Override
	public void addTo(ScriptCall claim) {
		claim.add(atOnce(String.valueOf(claim.queue())));
	}

	/** The wish of a task. */
	record Lane(String argument) implements TaskPart {

		static Lane of(String name) {
			return new Lane("@" + name);
		}

		@Override
		public String name() {
			return "lane";
		}

	}

}
