package io.github.delayqueue.polling;

import io.github.delayqueue.producer.ProducerFixture;

/**
 * A template that polls.
 */
class PollingFixture extends ProducerFixture {

	PollingFixture() {
		super((fixture) -> new Polling(fixture.store, fixture.codec, fixture.events, (queue) -> fixture.settings,
				(queue) -> fixture.used("polled " + queue)));
	}

	Polling polling() {
		return (Polling) this.part;
	}

}
