package io.github.delayqueue.producer;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.Recurrence;

/**
 * What tasks have in common that are handed to the application with their content.
 */
abstract class ReadableTask {

	private final TaskContent content;

	ReadableTask(TaskContent content) {
		this.content = content;
	}

	public Map<String, String> headers() {
		return this.content.headers();
	}

	public @Nullable String payloadJson() {
		return this.content.payloadJson();
	}

	public @Nullable Recurrence recurrence() {
		return this.content.options().recurrence();
	}

	public <T> @Nullable T payload(Class<T> type) {
		return this.content.payload(type);
	}

	public <T> @Nullable T payload(ParameterizedTypeReference<T> type) {
		return this.content.payload(type.getType());
	}

}
