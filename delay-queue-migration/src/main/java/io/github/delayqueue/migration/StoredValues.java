package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Reads values from the Redis that entries are moved from. For users, who are given it.
 */
public interface StoredValues {

	/** The value of a key, {@code null} if there is none. */
	byte @Nullable [] bytes(String key);

	/** The value of a field of a hash, {@code null} if there is none. */
	byte @Nullable [] hashBytes(String key, String field);

	/** The value of a key as text in UTF-8, {@code null} if there is none. */
	default @Nullable String string(String key) {
		byte[] value = bytes(key);
		return (value != null) ? new String(value, StandardCharsets.UTF_8) : null;
	}

	/** The value of a field of a hash as text in UTF-8, {@code null} if there is none. */
	default @Nullable String hash(String key, String field) {
		byte[] value = hashBytes(key, field);
		return (value != null) ? new String(value, StandardCharsets.UTF_8) : null;
	}

}
