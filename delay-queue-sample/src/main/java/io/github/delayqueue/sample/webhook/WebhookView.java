package io.github.delayqueue.sample.webhook;

import java.time.Instant;
import java.util.List;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskDetails;

/**
 * A webhook as the API shows it: what the shop has recorded, and what the delay queue
 * knows of its task.
 *
 * @param id its id
 * @param url whom to call
 * @param body what to send
 * @param status its status
 * @param nextAttemptAt when it is called next
 * @param deliveredAt when it was accepted
 * @param attempts the calls so far
 */
record WebhookView(String id, String url, @Nullable @Schema(implementation = Object.class) JsonNode body, Status status,
		@Nullable Instant nextAttemptAt, @Nullable Instant deliveredAt, List<Webhook.Attempt> attempts) {

	static WebhookView of(Webhook webhook, @Nullable TaskDetails task) {
		Instant nextAttemptAt = (task != null && task.state() == TaskState.SCHEDULED) ? task.dueAt() : null;
		return new WebhookView(webhook.id(), webhook.url(), webhook.body(), status(webhook, task), nextAttemptAt,
				webhook.deliveredAt(), webhook.attempts());
	}

	private static Status status(Webhook webhook, @Nullable TaskDetails task) {
		if (webhook.isDelivered()) {
			return Status.DELIVERED;
		}
		return (task != null && task.state() == TaskState.DEAD) ? Status.DEAD : Status.WAITING;
	}

	enum Status {

		/** Waits to be called, or is being called. */
		WAITING,

		/** Accepted. */
		DELIVERED,

		/** Not accepted on the last rung either; can be redriven. */
		DEAD

	}

}
