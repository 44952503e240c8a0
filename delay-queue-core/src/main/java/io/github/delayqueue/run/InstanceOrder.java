package io.github.delayqueue.run;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import io.github.delayqueue.convert.PlainJson;

/**
 * An order of one instance to another, to start or stop one of its listeners. For wiring.
 *
 * @param listener the id of the listener
 * @param start whether to start it
 */
public record InstanceOrder(String listener, boolean start) {

	/** As JSON, in one line, which differs each time. */
	public String write() {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("listener", this.listener);
		json.put("do", this.start ? "start" : "stop");
		json.put("id", UUID.randomUUID().toString());
		return new String(PlainJson.write(json), StandardCharsets.UTF_8);
	}

	/** Read an order, {@code null} if it is none. */
	public static @Nullable InstanceOrder read(String order) {
		try {
			if (!(PlainJson.read(order.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> json)) {
				return null;
			}
			boolean start = "start".equals(json.get("do"));
			String listener = (json.get("listener") instanceof String text) ? text : "";
			return (start || "stop".equals(json.get("do"))) ? new InstanceOrder(listener, start) : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

}
