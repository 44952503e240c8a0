package io.github.delayqueue.sample.webhook;

import java.time.Clock;
import java.time.Instant;

import org.springframework.stereotype.Component;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Calls webhooks. Whatever is not accepted with a 2xx is called again, after the next
 * delay of the ladder; after the last one the task is dead, and kept.
 */
@Component
class WebhookListener {

	static final String QUEUE = "webhook";

	private final Records<Webhook> webhooks;

	private final WebhookClient client;

	private final Tally tally;

	private final Clock clock;

	WebhookListener(RecordsFactory recordsFactory, WebhookClient client, Tally tally, Clock clock) {
		this.webhooks = recordsFactory.records("webhook", Webhook.class);
		this.client = client;
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE, retryDelays = "${sample.webhook.ladder}")
	void call(DelayedTask<Webhook> task) {
		Webhook webhook = task.payload();
		if (this.webhooks.find(webhook.id()).filter(Webhook::isDelivered).isPresent()) {
			// Accepted before, but the application died before the delay queue knew
			return;
		}
		Webhook.Attempt attempt = attempt(webhook, task);
		this.webhooks.update(webhook.id(), webhook, (current) -> current.with(attempt));
		if (!attempt.isAccepted()) {
			throw new WebhookNotAcceptedException(webhook, attempt);
		}
		this.tally.count("webhooksDelivered");
	}

	private Webhook.Attempt attempt(Webhook webhook, DelayedTask<Webhook> task) {
		Instant now = this.clock.instant();
		try {
			int status = this.client.call(webhook);
			return new Webhook.Attempt(task.attempt(), task.dueAt(), now, status, null);
		}
		catch (RuntimeException ex) {
			// No answer, for whatever reason: kept with the webhook, and tried again
			Throwable reason = (ex.getCause() != null) ? ex.getCause() : ex;
			return new Webhook.Attempt(task.attempt(), task.dueAt(), now, null, reason.toString());
		}
	}

}
