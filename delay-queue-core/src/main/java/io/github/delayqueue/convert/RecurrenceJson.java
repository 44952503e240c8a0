package io.github.delayqueue.convert;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;

/**
 * A recurrence among the options of an envelope: {@code "every":<ms>,"from":<ms since the
 * epoch>} or {@code "cron":"…","zone":"…"}, with {@code "onMissed":"SKIP"} where that is
 * so. Without a zone it is UTC; without {@code from} steps are counted from when each run
 * was due.
 */
final class RecurrenceJson {

	private final Map<String, Object> parts = new HashMap<>();

	static void write(JsonGenerator json, Recurrence recurrence) {
		if (recurrence.period() != null) {
			json.writeNumberProperty("every", recurrence.period().toMillis());
			if (recurrence.first() != null) {
				json.writeNumberProperty("from", recurrence.first().toEpochMilli());
			}
		}
		else {
			json.writeStringProperty("cron", recurrence.cron());
			json.writeStringProperty("zone", String.valueOf(recurrence.zone()));
		}
		if (recurrence.onMissed() != OnMissed.ONCE) {
			json.writeStringProperty("onMissed", recurrence.onMissed().name());
		}
	}

	void put(String name, Object value) {
		this.parts.put(name, value);
	}

	/**
	 * The recurrence that was put together.
	 * @return the recurrence, {@code null} if there is none
	 * @throws IllegalArgumentException if it is not possible
	 */
	@Nullable Recurrence read() {
		Object every = this.parts.get("every");
		Object cron = this.parts.get("cron");
		if (every == null && cron == null) {
			return null;
		}
		if (every != null && cron != null) {
			throw new IllegalArgumentException("it has both \"every\" and \"cron\"");
		}
		return read(every, cron).onMissed(onMissed());
	}

	private Recurrence read(@Nullable Object every, @Nullable Object cron) {
		if (every == null) {
			return Recurrence.cron((String) cron, (String) this.parts.getOrDefault("zone", "UTC"));
		}
		Recurrence steps = Recurrence.every(Duration.ofMillis((Long) every));
		Object from = this.parts.get("from");
		return (from != null) ? steps.from(Instant.ofEpochMilli((Long) from)) : steps;
	}

	private OnMissed onMissed() {
		Object name = this.parts.getOrDefault("onMissed", OnMissed.ONCE.name());
		for (OnMissed onMissed : OnMissed.values()) {
			if (onMissed.name().equals(name)) {
				return onMissed;
			}
		}
		throw new IllegalArgumentException("\"onMissed\" is neither ONCE nor SKIP");
	}

}
