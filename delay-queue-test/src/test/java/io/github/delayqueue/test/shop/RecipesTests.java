package io.github.delayqueue.test.shop;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.test.DelayQueueTest;
import io.github.delayqueue.test.DelayQueueTestClock;
import io.github.delayqueue.test.DelayQueueTester;
import io.github.delayqueue.test.shop.RecipeShop.Coupon;
import io.github.delayqueue.test.shop.RecipeShop.Payout;
import io.github.delayqueue.test.shop.RecipeShop.Reminder;
import io.github.delayqueue.test.shop.RecipeShop.Row;

import static org.assertj.core.api.Assertions.assertThat;

@DelayQueueTest(classes = RecipeShop.class, properties = { "delay-queue.queues.reminder.groups.enabled=true",
		"delay-queue.queues.welcome_mail.completed.retention=24h" })
class RecipesTests {

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private RecipeShop shop;

	@Autowired
	private DelayQueueTestClock clock;

	@Autowired
	private DelayQueueTester tester;

	@Test
	void payingEndsTheReminders() {
		this.shop.sent("4711");
		this.clock.advance(Duration.ofDays(5));
		this.shop.paid("4711");
		assertThat(this.tester.queue("reminder")).hasHandledExactly("4711:3").isEmpty();
	}

	@Test
	void seriesEndsAfterFiveMails() {
		this.delayQueue.schedule("dunning", "4712", new Reminder("4712", 1), Duration.ofDays(7));
		this.clock.advance(Duration.ofDays(365));
		assertThat(this.shop.mails("4712")).isEqualTo(5);
		assertThat(this.tester.queue("dunning")).isEmpty();
	}

	@Test
	void customerIsRemindedTheMorningBefore() {
		this.clock.setTo(Instant.parse("2026-03-01T12:00:00Z"));
		this.shop.granted(new Coupon("SPRING", LocalDate.of(2026, 3, 31), ZoneId.of("Europe/Paris")));
		assertThat(this.tester.queue("coupon_reminder")).hasScheduled("SPRING")
			.dueAt(Instant.parse("2026-03-30T07:00:00Z")); // summer time has begun
	}

	@Test
	void changesInARowAreIndexedOnce() {
		for (int i = 0; i < 3; i++) {
			this.shop.changed("doc-1");
			this.clock.advance(Duration.ofSeconds(4));
		}
		assertThat(this.tester.queue("reindex")).hasNotHandled("doc-1");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.tester.queue("reindex")).hasHandledExactly("doc-1");
	}

	@Test
	void cacheIsEvictedAgain() {
		this.shop.change("book-1");
		assertThat(this.tester.queue("cache_invalidation")).hasScheduled("book-1").dueIn(Duration.ofSeconds(5));
	}

	@Test
	void digestIsWrittenOnceADay() {
		this.clock.advance(Duration.ofDays(3));
		assertThat(this.tester.queue("daily_digest").handled()).hasSize(3);
	}

	@Test
	void secondMailIsRejectedForADay() {
		assertThat(this.shop.welcome("user-1").isAccepted()).isTrue();
		this.clock.advance(Duration.ofHours(23));
		assertThat(this.shop.welcome("user-1").isAccepted()).isFalse();
		this.clock.advance(Duration.ofHours(2));
		this.clock.runDue(); // a consumer removes old tasks
		assertThat(this.shop.welcome("user-1").isAccepted()).isTrue();
	}

	@Test
	void smallTenantWaitsForATurnOnly() {
		for (int i = 0; i < 100; i++) {
			this.shop.remind("large", "large-" + i);
		}
		this.shop.remind("small", "small-1");
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.tester.queue("reminder").handled().subList(0, 10)).extracting("taskId").contains("small-1");
	}

	@Test
	void tenantTravelsWithTheTask() {
		this.shop.due("4713", "acme");
		assertThat(this.tester.queue("invoice")).hasScheduled("4713").withHeader("tenant", "acme");
	}

	@Test
	void secondDeliveryPaysNothing() {
		for (int i = 0; i < 2; i++) {
			this.delayQueue.schedule("payout", "payout-1", new Payout("acme", 100), Duration.ZERO);
			this.clock.runDue();
		}
		assertThat(this.shop.balance("acme")).isEqualTo(100);
	}

	@Test
	void emptyRowIsADeadLetter() {
		this.delayQueue.schedule("import", "row-4711", new Row(List.of()), Duration.ZERO);
		this.clock.runDue();
		assertThat(this.tester.queue("import")).hasDead("row-4711")
			.withReason(DeadReason.DEAD_LETTERED)
			.withMessageContaining("empty");
	}

}
