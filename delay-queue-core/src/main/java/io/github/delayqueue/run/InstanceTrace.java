package io.github.delayqueue.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import io.github.delayqueue.Names;

/**
 * The trace of an instance in the store. All times are how long ago something was when
 * the trace was left, so that no two clocks are compared. For wiring.
 *
 * @param host name of the machine, or container
 * @param version of the delay queue
 * @param every after what time it leaves the next one
 * @param complete whether all that it consumes is named
 */
public record InstanceTrace(String host, long pid, String version, Duration startedAgo, Duration every,
		boolean complete, List<Consumer> consumers) {

	/** How many consumers a trace names at most. */
	public static final int MAX_CONSUMERS = 2000;

	/** So many traces may be missing before an instance counts as gone. */
	private static final int MISSED = 3;

	/** Of a long name. */
	private static final int MAX_TEXT = 200;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	/**
	 * One who consumes a queue.
	 *
	 * @param listener id of the listener, {@code null} for tasks that are polled by hand
	 * @param workers how many tasks, or batches, it handles at a time; zero by hand
	 * @param since how long ago it began
	 * @param polledAgo how long ago the store last answered it, {@code null} if it has
	 * not yet
	 */
	public record Consumer(@Nullable String listener, String queue, int workers, Duration since,
			@Nullable Duration polledAgo) {

	}

	/** Whether the instance is still there. */
	boolean isAlive(Duration age) {
		return age.compareTo(this.every.multipliedBy(MISSED)) <= 0;
	}

	/** As JSON, to which later versions may add. */
	String write() {
		ObjectNode json = MAPPER.createObjectNode()
			.put("host", Names.printableText(this.host))
			.put("pid", this.pid)
			.put("version", this.version)
			.put("startedAgo", this.startedAgo.toMillis())
			.put("every", this.every.toMillis())
			.put("complete", this.complete);
		ArrayNode all = json.putArray("consumers");
		for (Consumer consumer : this.consumers) {
			ObjectNode one = all.addObject();
			if (consumer.listener() != null) {
				one.put("listener", Names.printableText(consumer.listener()));
			}
			one.put("queue", consumer.queue())
				.put("workers", consumer.workers())
				.put("since", consumer.since().toMillis());
			if (consumer.polledAgo() != null) {
				one.put("polledAgo", consumer.polledAgo().toMillis());
			}
		}
		return MAPPER.writeValueAsString(json);
	}

	/**
	 * Read a trace, from any version, without what cannot be read of it; {@code null} if
	 * it is none.
	 */
	static @Nullable InstanceTrace read(String trace) {
		try {
			JsonNode json = MAPPER.readTree(trace);
			List<Consumer> consumers = new ArrayList<>();
			for (JsonNode consumer : json.path("consumers")) {
				String queue = text(consumer, "queue");
				if (Names.isQueue(queue) && consumers.size() < MAX_CONSUMERS) {
					String listener = text(consumer, "listener");
					consumers.add(new Consumer(listener.isEmpty() ? null : listener, queue,
							consumer.path("workers").asInt(0), millis(consumer, "since"),
							consumer.has("polledAgo") ? millis(consumer, "polledAgo") : null));
				}
			}
			return new InstanceTrace(text(json, "host"), json.path("pid").asLong(0), text(json, "version"),
					millis(json, "startedAgo"), millis(json, "every"), json.path("complete").asBoolean(true),
					List.copyOf(consumers));
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static String text(JsonNode json, String name) {
		String text = json.path(name).asString("");
		return Names.printableText((text.length() > MAX_TEXT) ? text.substring(0, MAX_TEXT) : text);
	}

	private static Duration millis(JsonNode json, String name) {
		return Duration.ofMillis(Math.max(0, Math.min(json.path(name).asLong(0), Integer.MAX_VALUE * 1000L)));
	}

}
