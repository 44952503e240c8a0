package io.github.delayqueue.sample.webhook;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Webhook}.
 */
class WebhookTests {

	private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

	private final Webhook webhook = Webhook.of("webhook-1", "http://localhost", null);

	@ParameterizedTest
	@ValueSource(ints = { 200, 204, 299 })
	void isDeliveredByAnyAnswerOfTheTwoHundreds(int status) {
		Webhook delivered = this.webhook.with(attempt(1, status));
		assertThat(delivered.isDelivered()).isTrue();
		assertThat(delivered.deliveredAt()).isEqualTo(NOW);
	}

	@ParameterizedTest
	@ValueSource(ints = { 199, 302, 404, 503 })
	void isNotDeliveredByAnyOther(int status) {
		assertThat(this.webhook.with(attempt(1, status)).isDelivered()).isFalse();
	}

	@Test
	void isNotDeliveredWithoutAnswer() {
		Webhook called = this.webhook.with(new Webhook.Attempt(1, NOW, NOW, null, "refused"));
		assertThat(called.isDelivered()).isFalse();
		assertThat(called.attempts()).singleElement().extracting(Webhook.Attempt::error).isEqualTo("refused");
	}

	@Test
	void keepsItsLastFiftyAttempts() {
		Webhook called = this.webhook;
		for (int number = 1; number <= 60; number++) {
			called = called.with(attempt(number, 503));
		}
		assertThat(called.attempts()).hasSize(50);
		assertThat(called.attempts().get(0).number()).isEqualTo(11);
		assertThat(called.attempts().get(49).number()).isEqualTo(60);
	}

	private static Webhook.Attempt attempt(int number, int status) {
		return new Webhook.Attempt(number, NOW, NOW, status, null);
	}

}
