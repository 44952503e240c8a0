package io.github.delayqueue.sample.webhook;

/**
 * A server has not accepted a webhook. Thrown so that the delay queue tries again.
 */
class WebhookNotAcceptedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	WebhookNotAcceptedException(Webhook webhook, Webhook.Attempt attempt) {
		super(webhook.url() + " did not accept " + webhook.id() + " at attempt " + attempt.number() + ": "
				+ ((attempt.status() != null) ? "it answered " + attempt.status() : attempt.error()));
	}

}
