package io.github.delayqueue.test.shop;

import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;

/** A handler that fails as often as a test wants. */
@Component
class Webhooks {

	private int refusals;

	void refuse(int times) {
		this.refusals = times;
	}

	@DelayQueueListener(queue = "webhook", retryDelays = "2m, 10m, 1h")
	void call(String url) {
		if (this.refusals > 0) {
			this.refusals--;
			throw new IllegalStateException("503");
		}
	}

}
