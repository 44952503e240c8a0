package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * An entry in the moving area.
 *
 * @param key what it is called there
 * @param state how far it has come
 * @param score when it is due, as it stood in the source
 * @param content the entry as it lay in the source; once its task is stored, the id of
 * that
 */
record MovingRecord(String key, State state, String score, byte[] content) {

	enum State {

		/** Taken from where it waited. */
		TAKEN('t'),

		/** Taken from those that were due. */
		TAKEN_DUE('d'),

		/** Its task is stored, and not due before it is told so. */
		STORED('s');

		private final char letter;

		State(char letter) {
			this.letter = letter;
		}

	}

	/**
	 * Read a record.
	 * @param key what it is called
	 * @param value its text
	 * @return the record, {@code null} if it is none
	 */
	static @Nullable MovingRecord read(byte[] key, byte[] value) {
		int end = 2;
		while (end < value.length && value[end] != ':') {
			end++;
		}
		if (end >= value.length || value[1] != ':') {
			return null;
		}
		for (State state : State.values()) {
			if (state.letter == value[0]) {
				return new MovingRecord(new String(key, StandardCharsets.UTF_8), state,
						new String(value, 2, end - 2, StandardCharsets.UTF_8),
						Arrays.copyOfRange(value, end + 1, value.length));
			}
		}
		return null;
	}

	String taskId() {
		return new String(this.content, StandardCharsets.UTF_8);
	}

}
