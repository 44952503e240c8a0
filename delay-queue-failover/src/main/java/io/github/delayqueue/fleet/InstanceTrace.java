package io.github.delayqueue.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import io.github.delayqueue.Names;
import io.github.delayqueue.convert.PlainJson;

/**
 * The trace of an instance in the store. All times are how long ago something was when
 * the trace was left, so that no two clocks are compared. For wiring.
 *
 * @param host name of the machine, or container
 * @param application its name, empty if it has none
 * @param applicationVersion that of the application, empty if it is not known
 * @param version of the delay queue, empty if it is not known
 * @param every after what time it leaves the next one at the latest
 * @param complete whether all that it consumes is named
 * @param ended whether it was its last word, when it was shut down
 * @param consumers what it consumes, or did before it was shut down, and its listeners
 * that are stopped
 */
public record InstanceTrace(String host, long pid, String application, String applicationVersion, String version,
		Duration startedAgo, Duration every, boolean complete, boolean ended, List<Consumer> consumers) {

	/** How many consumers a trace names at most. */
	public static final int MAX_CONSUMERS = 2000;

	/** How many calls of a consumer it names at most. */
	static final int MAX_CALLS = 20;

	/** So many traces may be missing before an instance counts as gone. */
	private static final int MISSED = 3;

	/** Of a long name. */
	private static final int MAX_TEXT = 200;

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
	 * @param calls some of the tasks in its handlers, those that run for longest
	 */
	public record Consumer(@Nullable String listener, String queue, boolean running, int workers,
			@Nullable Integer active, Duration since, @Nullable Duration polledAgo, List<Call> calls) {

	}

	/**
	 * A task in a handler.
	 *
	 * @param ran for how long
	 * @param patience before what time it does not hang, however soon others end
	 */
	public record Call(String task, Duration ran, Duration patience) {

	}

	boolean isAlive(Duration age) {
		return !this.ended && age.compareTo(this.every.multipliedBy(MISSED)) <= 0;
	}

	/** A name for people: that of its host, if it has one. */
	String name() {
		return this.host.isEmpty() ? "process " + this.pid : this.host;
	}

	/** As JSON. The first version takes all {@code consumers} for such that run. */
	String write() {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("host", Names.printableText(this.host));
		json.put("pid", this.pid);
		json.put("application", Names.printableText(this.application));
		json.put("applicationVersion", Names.printableText(this.applicationVersion));
		json.put("version", this.version);
		json.put("startedAgo", this.startedAgo.toMillis());
		json.put("every", this.every.toMillis());
		json.put("complete", this.complete);
		json.put("ended", this.ended);
		json.put("consumers", this.consumers.stream().filter(Consumer::running).map(InstanceTrace::json).toList());
		json.put("stopped",
				this.consumers.stream().filter((consumer) -> !consumer.running()).map(InstanceTrace::json).toList());
		return new String(PlainJson.write(json), StandardCharsets.UTF_8);
	}

	private static Map<String, @Nullable Object> json(Consumer consumer) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("listener", (consumer.listener() != null) ? Names.printableText(consumer.listener()) : null);
		json.put("queue", consumer.queue());
		json.put("workers", consumer.workers());
		json.put("active", consumer.active());
		json.put("since", consumer.since().toMillis());
		json.put("polledAgo", (consumer.polledAgo() != null) ? consumer.polledAgo().toMillis() : null);
		json.put("calls",
				consumer.calls().isEmpty() ? null : consumer.calls().stream().map(InstanceTrace::json).toList());
		json.values().removeIf(Objects::isNull);
		return json;
	}

	private static Map<String, Object> json(Call call) {
		return Map.of("task", call.task(), "ran", call.ran().toMillis(), "patience", call.patience().toMillis());
	}

	/** {@code null} if it is none; without what cannot be read of it. */
	static @Nullable InstanceTrace read(String trace) {
		try {
			Map<?, ?> json = map(PlainJson.read(trace.getBytes(StandardCharsets.UTF_8)));
			List<Consumer> consumers = new ArrayList<>();
			read(json.get("consumers"), true, consumers);
			read(json.get("stopped"), false, consumers);
			return new InstanceTrace(text(json, "host"), number(json, "pid"), text(json, "application"),
					text(json, "applicationVersion"), text(json, "version"), millis(json, "startedAgo"),
					millis(json, "every"), !Boolean.FALSE.equals(json.get("complete")),
					Boolean.TRUE.equals(json.get("ended")), List.copyOf(consumers));
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static void read(@Nullable Object all, boolean running, List<Consumer> consumers) {
		for (Object one : (all instanceof List<?> list) ? list : List.of()) {
			Map<?, ?> consumer = map(one);
			String queue = text(consumer, "queue");
			if (Names.isQueue(queue) && consumers.size() < MAX_CONSUMERS) {
				String listener = text(consumer, "listener");
				consumers
					.add(new Consumer(listener.isEmpty() ? null : listener, queue, running, count(consumer, "workers"),
							(consumer.get("active") instanceof Number) ? count(consumer, "active") : null,
							millis(consumer, "since"),
							consumer.containsKey("polledAgo") ? millis(consumer, "polledAgo") : null,
							calls(consumer.get("calls"))));
			}
		}
	}

	private static List<Call> calls(@Nullable Object all) {
		return (all instanceof List<?> list) ? list.stream()
			.limit(MAX_CALLS)
			.map(InstanceTrace::map)
			.map((call) -> new Call(text(call, "task"), millis(call, "ran"), millis(call, "patience")))
			.toList() : List.of();
	}

	private static Map<?, ?> map(@Nullable Object json) {
		return (json instanceof Map<?, ?> map) ? map : Map.of();
	}

	private static String text(Map<?, ?> json, String name) {
		String text = (json.get(name) instanceof String value) ? value : "";
		return Names.printableText((text.length() > MAX_TEXT) ? text.substring(0, MAX_TEXT) : text);
	}

	private static int count(Map<?, ?> json, String name) {
		return (int) Math.min(number(json, name), Integer.MAX_VALUE);
	}

	private static long number(Map<?, ?> json, String name) {
		return (json.get(name) instanceof Number value) ? value.longValue() : 0;
	}

	private static Duration millis(Map<?, ?> json, String name) {
		return Duration.ofMillis(Math.max(0, Math.min(number(json, name), Integer.MAX_VALUE * 1000L)));
	}

}
