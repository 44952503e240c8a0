package io.github.delayqueue.groups;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.Names;
import io.github.delayqueue.options.NeedsOption;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskPart;

/**
 * The group of a task, such as a tenant, in a queue with groups: <pre>{@code
 * TaskRequest.queue("reminders").payload(reminder).with(group("tenant-42"))
 * }</pre> Groups that have tasks due take turns, however many each has. All tasks without
 * a group take one turn together. Needs {@code groups.enabled} of the queue.
 *
 * @param group its name
 */
public record Group(String group) implements TaskPart, NeedsOption {

	private static final String FIELD = ",\"q\":\"";

	private static final String END = "\"}";

	/** Longest name, in bytes of UTF-8. */
	public static final int MAX_BYTES = 128;

	/**
	 * Check a name.
	 * @throws IllegalArgumentException if it is empty or longer than {@link #MAX_BYTES},
	 * or has a control character, a quote or a backslash
	 */
	public Group {
		if (!isName(group)) {
			throw new IllegalArgumentException("A group is 1 to " + MAX_BYTES
					+ " bytes of UTF-8 without control characters, quotes and backslashes, is '"
					+ Names.printable(group) + "'");
		}
	}

	/**
	 * A group, to be imported statically.
	 * @throws IllegalArgumentException if that is no name of one
	 */
	public static Group group(String name) {
		return new Group(name);
	}

	private static boolean isName(String text) {
		return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
				&& text.chars().noneMatch((c) -> c < ' ' || c == '"' || c == '\\');
	}

	/** The group that is the last field of an envelope, {@code null} if none is. */
	public static @Nullable Group of(byte[] envelope) {
		String text = new String(envelope, StandardCharsets.UTF_8);
		int from = text.lastIndexOf(FIELD) + FIELD.length();
		String name = (from >= FIELD.length() && text.endsWith(END))
				? text.substring(from, text.length() - END.length()) : "";
		return isName(name) ? new Group(name) : null;
	}

	@Override
	public String name() {
		return "group";
	}

	/** It stands in the envelope. */
	@Override
	public String argument() {
		return "";
	}

	@Override
	public Option<Boolean> needs() {
		return GroupedQueues.ENABLED;
	}

	@Override
	public @Nullable String objection(boolean named, Replacement onDuplicate, byte @Nullable [] envelope) {
		return (envelope != null && !(envelope.length > 2 && envelope[envelope.length - 1] == '}'))
				? "needs an envelope that is a JSON object" : null;
	}

	/** Its last field, so that scripts and other languages find it. */
	@Override
	public byte[] mark(byte[] envelope) {
		byte[] field = (FIELD + this.group + END).getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.allocate(envelope.length - 1 + field.length)
			.put(envelope, 0, envelope.length - 1)
			.put(field)
			.array();
	}

}
