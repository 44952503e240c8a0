package io.github.delayqueue.polling;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waiting for tasks on a real Redis, in a queue of several partitions. The poll interval
 * is a day, so only wake messages and due times end a wait.
 */
class BlockingPollIntegrationTests {

	private static final Duration LEASE_DURATION = Duration.ofMinutes(1);

	private static final int PARTITIONS = 3;

	@ParameterizedTest
	@EnumSource
	void taskOfAnotherInstanceIsReturned(Driver driver) throws Exception {
		try (RedisStores stores = DriverStores.on(driver.connect(TestRedis.server()))
			.keyPrefix("waits" + driver + ":")) {
			CountDownLatch waiting = new CountDownLatch(2 * PARTITIONS);
			CompletableFuture<List<ClaimedTask>> polled = begin(template(stores, waiting));
			assertThat(waiting.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).as("subscribed and claimed")
				.isTrue();
			template(stores, waiting).schedule("q", "now", null, Duration.ZERO);
			assertThat(polled.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).singleElement()
				.satisfies((task) -> assertThat(task.id()).isEqualTo("now"))
				.satisfies((task) -> assertThat(task.complete()).isTrue());
		}
	}

	private static CompletableFuture<List<ClaimedTask>> begin(DelayQueueTemplate template) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return template.poll("q", 10, LEASE_DURATION, Duration.ofDays(1));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task, "waits").start());
	}

	/** One of an instance of its own, that says when it has claimed. */
	private static DelayQueueTemplate template(RedisStores stores, CountDownLatch claimed) {
		TaskCodec codec = Codecs.create();
		TaskEvents events = new TaskEvents(List.of(new TaskEventListener() {

			@Override
			public void onClaim(String queue, int tasks) {
				claimed.countDown();
			}

		}));
		QueueOptions options = QueueOptions.builder().pollInterval(Duration.ofDays(1)).build();
		return PollingTemplates.create(new PartitionedTaskStore(stores.open(), (queue) -> PARTITIONS), codec, events,
				(queue) -> options);
	}

}
