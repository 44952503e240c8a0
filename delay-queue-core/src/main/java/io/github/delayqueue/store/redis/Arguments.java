package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.DueTime;

/**
 * Collects the arguments of a script.
 */
final class Arguments {

	private final List<byte[]> values = new ArrayList<>();

	Arguments add(byte[] value) {
		this.values.add(value);
		return this;
	}

	Arguments add(String value) {
		return add(bytes(value));
	}

	Arguments addId(String id) {
		return add(IdText.encode(id));
	}

	Arguments add(long value) {
		return add(Long.toString(value));
	}

	Arguments add(TaskState state) {
		return add(state.name().toLowerCase(Locale.ROOT));
	}

	Arguments add(DueTime due) {
		return add(text(due));
	}

	/** As scripts take it. */
	static String text(DueTime due) {
		return (due.relative() ? "+" : "") + due.millis();
	}

	/**
	 * Add a duration in milliseconds, rounded up.
	 * @param duration the duration, {@code null} for an empty argument
	 * @return this
	 */
	Arguments addMillis(@Nullable Duration duration) {
		return add((duration != null) ? Long.toString(DueTime.in(duration).millis()) : "");
	}

	byte[][] toArray() {
		return this.values.toArray(byte[][]::new);
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
