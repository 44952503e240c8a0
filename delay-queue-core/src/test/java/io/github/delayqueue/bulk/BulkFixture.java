package io.github.delayqueue.bulk;

import io.github.delayqueue.producer.ProducerFixture;

/**
 * A template that schedules many tasks.
 */
class BulkFixture extends ProducerFixture {

	BulkFixture() {
		super((fixture) -> new BulkCalls());
	}

}
