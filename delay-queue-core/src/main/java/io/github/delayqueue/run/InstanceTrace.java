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
 * @param application its name, empty if it has none
 * @param version of the delay queue, empty if it is not known
 * @param every after what time it leaves the next one at the latest
 * @param complete whether all that it consumes is named
 * @param obeys whether it starts and stops listeners where another instance says so
 * @param ended whether it was its last word, when it was shut down
 * @param consumers what it consumes, or did before it was shut down, and its listeners
 * that are stopped
 */
public record InstanceTrace(String host, long pid, String application, String version, Duration startedAgo,
		Duration every, boolean complete, boolean obeys, boolean ended, List<Consumer> consumers) {

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
	 * @param running whether it does, as opposed to a listener that is stopped
	 * @param workers how many tasks, or batches, it handles at a time; zero by hand
	 * @param active how many tasks are in its handlers, {@code null} if that is not known
	 * @param since how long ago it began, or was stopped
	 * @param polledAgo how long ago the store last answered it, {@code null} if it has
	 * not yet
	 */
	public record Consumer(@Nullable String listener, String queue, boolean running, int workers,
			@Nullable Integer active, Duration since, @Nullable Duration polledAgo) {

	}

	/** Whether the instance is still there. */
	boolean isAlive(Duration age) {
		return !this.ended && age.compareTo(this.every.multipliedBy(MISSED)) <= 0;
	}

	/** A name for people: that of its host, if it has one. */
	String name() {
		return this.host.isEmpty() ? "process " + this.pid : this.host;
	}

	/**
	 * As JSON, to which later versions may add. The first version takes all
	 * {@code consumers} for such that run.
	 */
	String write() {
		ObjectNode json = MAPPER.createObjectNode()
			.put("host", Names.printableText(this.host))
			.put("pid", this.pid)
			.put("application", Names.printableText(this.application))
			.put("version", this.version)
			.put("startedAgo", this.startedAgo.toMillis())
			.put("every", this.every.toMillis())
			.put("complete", this.complete)
			.put("obeys", this.obeys)
			.put("ended", this.ended);
		ArrayNode running = json.putArray("consumers");
		ArrayNode stopped = json.putArray("stopped");
		for (Consumer consumer : this.consumers) {
			ObjectNode one = (consumer.running() ? running : stopped).addObject();
			if (consumer.listener() != null) {
				one.put("listener", Names.printableText(consumer.listener()));
			}
			one.put("queue", consumer.queue())
				.put("workers", consumer.workers())
				.put("active", consumer.active())
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
			read(json.path("consumers"), true, consumers);
			read(json.path("stopped"), false, consumers);
			return new InstanceTrace(text(json, "host"), json.path("pid").asLong(0), text(json, "application"),
					text(json, "version"), millis(json, "startedAgo"), millis(json, "every"),
					json.path("complete").asBoolean(true), json.path("obeys").asBoolean(false),
					json.path("ended").asBoolean(false), List.copyOf(consumers));
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static void read(JsonNode all, boolean running, List<Consumer> consumers) {
		for (JsonNode consumer : all) {
			String queue = text(consumer, "queue");
			if (Names.isQueue(queue) && consumers.size() < MAX_CONSUMERS) {
				String listener = text(consumer, "listener");
				consumers.add(new Consumer(listener.isEmpty() ? null : listener, queue, running,
						consumer.path("workers").asInt(0),
						consumer.path("active").isNumber() ? consumer.path("active").asInt(0) : null,
						millis(consumer, "since"), consumer.has("polledAgo") ? millis(consumer, "polledAgo") : null));
			}
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
