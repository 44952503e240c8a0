package io.github.delayqueue.test;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues that have a journal, in the whole application, which has a database.
 */
@SpringBootTest(classes = WholeApplication.class,
		properties = { "delay-queue.queues.order_timeout.journal.enabled=true",
				"delay-queue.queues[shop.coupons].journal.enabled=true", "delay-queue.queues.plain.partitions=1" })
@DelayQueueTest
class JournaledQueueTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueTester tester;

	@Autowired
	private TransactionTemplate transactions;

	@Autowired
	private ApplicationContext context;

	@Test
	void journalIsLeftOut() {
		assertThat(this.context.getBeanProvider(Journal.class).stream()).isEmpty();
	}

	@Test
	void whatIsScheduledIsThereAfterTheCommit() {
		for (String queue : new String[] { "order_timeout", "shop.coupons" }) {
			this.transactions.executeWithoutResult((status) -> {
				this.delayQueue.schedule(queue, "order-1", "book", Duration.ofDays(100));
				assertThat(this.tester.queue(queue)).hasNoScheduled("order-1");
			});
			assertThat(this.tester.queue(queue)).hasScheduled("order-1").dueIn(Duration.ofDays(100));
		}
	}

	@Test
	void whatIsScheduledIsNotThereAfterARollback() {
		this.transactions.executeWithoutResult((status) -> {
			this.delayQueue.schedule("order_timeout", "order-1", "book", Duration.ofDays(100));
			status.setRollbackOnly();
		});
		assertThat(this.tester.queue("order_timeout")).isEmpty();
	}

}
