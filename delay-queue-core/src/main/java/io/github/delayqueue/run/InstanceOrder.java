package io.github.delayqueue.run;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An order of one instance to another, to start or stop one of its listeners. For wiring.
 *
 * @param listener the id of the listener
 * @param start whether to start it
 */
public record InstanceOrder(String listener, boolean start) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	/** As JSON, in one line. */
	public String write() {
		return MAPPER.createObjectNode()
			.put("listener", this.listener)
			.put("do", this.start ? "start" : "stop")
			.toString();
	}

	/** Read an order, {@code null} if it is none. */
	public static @Nullable InstanceOrder read(String order) {
		try {
			JsonNode json = MAPPER.readTree(order);
			String what = json.path("do").asString("");
			boolean start = what.equals("start");
			return (start || what.equals("stop")) ? new InstanceOrder(json.path("listener").asString(""), start) : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

}
