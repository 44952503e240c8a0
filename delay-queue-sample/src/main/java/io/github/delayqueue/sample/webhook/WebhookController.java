package io.github.delayqueue.sample.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.web.Created;
import io.github.delayqueue.sample.web.Problems;

/**
 * Webhooks. What is accepted here gets to the other server as soon as that answers.
 */
@RestController
@RequestMapping("/webhooks")
@Tag(name = "Webhooks", description = "An HTTP call, repeated along a ladder of delays")
class WebhookController {

	private final DelayQueueOperations delayQueue;

	private final Records<Webhook> webhooks;

	WebhookController(DelayQueueOperations delayQueue, RecordsFactory recordsFactory) {
		this.delayQueue = delayQueue;
		this.webhooks = recordsFactory.records("webhook", Webhook.class);
	}

	@PostMapping
	@Operation(summary = "Have a server called with POST")
	ResponseEntity<WebhookView> create(@Valid @RequestBody NewWebhook request) {
		requireHttp(request.url());
		Webhook webhook = Webhook.of(this.webhooks.nextId(), request.url(), request.body());
		this.delayQueue.schedule(WebhookListener.QUEUE, webhook.id(), webhook, Duration.ZERO);
		this.webhooks.saveIfAbsent(webhook.id(), webhook);
		return Created.at(webhook.id(), get(webhook.id()));
	}

	@GetMapping("/{id}")
	@Operation(summary = "Look at a webhook and the calls made for it")
	WebhookView get(@PathVariable String id) {
		// First the task: should it end in between, the record tells how
		var task = this.delayQueue.find(WebhookListener.QUEUE, id);
		Webhook webhook = this.webhooks.find(id).orElseThrow(() -> Problems.notFound("webhook", id));
		return WebhookView.of(webhook, task.orElse(null));
	}

	@PostMapping("/{id}/redrive")
	@ResponseStatus(HttpStatus.ACCEPTED)
	@Operation(summary = "Start again with a webhook that is dead")
	WebhookView redrive(@PathVariable String id) {
		if (!this.delayQueue.redrive(WebhookListener.QUEUE, id)) {
			WebhookView webhook = get(id);
			throw Problems.conflict("Webhook '" + id + "' is not DEAD, it is " + webhook.status());
		}
		return get(id);
	}

	private static void requireHttp(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
				return;
			}
		}
		catch (URISyntaxException ex) {
			throw Problems.badRequest("url '" + url + "' is not a URL: " + ex.getReason());
		}
		throw Problems.badRequest("url '" + url + "' must begin with http:// or https:// and name a host");
	}

	record NewWebhook(@NotBlank @Size(max = 2000) @Schema(example = "http://localhost:8080/actuator/health") String url,
			@Nullable @Schema(implementation = Object.class, example = "{\"event\": \"order.paid\"}") JsonNode body) {

	}

}
