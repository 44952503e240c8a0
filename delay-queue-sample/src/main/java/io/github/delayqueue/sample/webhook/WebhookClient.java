package io.github.delayqueue.sample.webhook;

import java.net.URI;

import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/**
 * Calls the servers of others. How long it waits for them, and that it does not follow
 * their redirects, is set by {@code spring.http.clients.*} in application.yml.
 * <p>
 * It calls whatever URL it is given, also one inside the network it runs in. Fine for a
 * demonstration; a service that is open to strangers must check where a URL leads.
 */
@Component
class WebhookClient {

	private final RestClient client;

	WebhookClient(RestClient.Builder builder) {
		this.client = builder.build();
	}

	/**
	 * Call a server.
	 * @param webhook whom to call and what to send
	 * @return the status of its answer, whichever it is
	 * @throws org.springframework.web.client.ResourceAccessException if there is no
	 * answer
	 */
	int call(Webhook webhook) {
		RestClient.RequestBodySpec request = this.client.post()
			.uri(URI.create(webhook.url()))
			.header("Webhook-Id", webhook.id());
		JsonNode body = webhook.body();
		if (body != null) {
			request.contentType(body.isString() ? MediaType.TEXT_PLAIN : MediaType.APPLICATION_JSON)
				.body(body.isString() ? body.stringValue() : body.toString());
		}
		return request.exchange((sent, answer) -> answer.getStatusCode().value());
	}

}
