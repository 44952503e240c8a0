package io.github.delayqueue.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;

/**
 * Writes payloads as JSON and reads them, also those that another mapper has written. For
 * extension. Has to be thread-safe.
 * <p>
 * Nothing in the JSON may choose a class. An exception of either method ends the task, or
 * refuses it; its message reaches nobody, because it may quote the payload.
 */
public interface PayloadMapper {

	/**
	 * Write a payload as a single JSON value, in UTF-8.
	 * @param out not to be closed
	 * @throws IOException if it cannot be written, or could not be read by any handler
	 */
	void write(OutputStream out, Payload payload) throws IOException;

	/**
	 * As {@link #write} does, for a mapper that can tell what it has written.
	 * @return whether it certainly is plain JSON. Else, as by default, it is read once
	 * more before it is stored
	 */
	default boolean writePlain(OutputStream out, Payload payload) throws IOException {
		write(out, payload);
		return false;
	}

	/**
	 * Read a payload.
	 * @param json has the payload, from an offset on, in UTF-8; not to be changed
	 * @param type what a handler, or another caller, asks for
	 * @throws IOException if it cannot be read as that
	 */
	@Nullable Object read(byte[] json, int offset, int length, Type type) throws IOException;

	/**
	 * Describe an exception of the other methods: its kind, and where in the payload it
	 * happened. Contains nothing of the payload.
	 */
	String describe(Throwable error);

	/**
	 * Say why nothing could ever be read as a type, as far as the type alone shows it. It
	 * is asked when a listener is registered, for a warning.
	 * @return the reason, {@code null} if there is none or none is known, as by default
	 */
	default @Nullable String objection(Type type) {
		return null;
	}

	/**
	 * Return the sizes beyond which JSON is not read. By default they are those of
	 * Jackson 3.
	 */
	default StreamReadConstraints limits() {
		return StreamReadConstraints.defaults();
	}

}
