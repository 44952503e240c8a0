package io.github.delayqueue.test.shop;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.stereotype.Component;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.ScheduleResult;

/** The code of the recipes, as far as their tests need it. */
@Component
class RecipeShop {

	private static final List<Integer> DAYS = List.of(3, 7, 14);

	private final DelayQueueOperations delayQueue;

	private final List<String> mails = new ArrayList<>();

	private final Set<String> paidOut = new HashSet<>();

	private final Map<String, Long> accounts = new HashMap<>();

	RecipeShop(DelayQueueOperations delayQueue) {
		this.delayQueue = delayQueue;
	}

	void sent(String invoice) {
		for (int days : DAYS) {
			this.delayQueue.schedule("reminder", invoice + ":" + days, invoice, Duration.ofDays(days));
		}
	}

	void paid(String invoice) {
		this.delayQueue.cancelAll("reminder", DAYS.stream().map((days) -> invoice + ":" + days).toList());
	}

	void remind(String tenant, String id) {
		this.delayQueue.schedule("reminder",
				(task) -> task.id(id).delay(Duration.ofHours(1)).with(Group.group(tenant)));
	}

	@DelayQueueListener(queue = "reminder")
	void send(String reminder) {
		this.mails.add(reminder);
	}

	@DelayQueueListener(queue = "dunning")
	void remind(Reminder reminder) {
		this.mails.add(reminder.invoice());
		if (reminder.number() < 5) {
			this.delayQueue.schedule("dunning", reminder.invoice(),
					new Reminder(reminder.invoice(), reminder.number() + 1), Duration.ofDays(7));
		}
	}

	long mails(String invoice) {
		return this.mails.stream().filter(invoice::equals).count();
	}

	void granted(Coupon coupon) {
		this.delayQueue.schedule("coupon_reminder", coupon.code(), coupon.code(),
				coupon.lastDay().minusDays(1).atTime(9, 0).atZone(coupon.zone()));
	}

	void changed(String documentId) {
		this.delayQueue.schedule("reindex",
				(task) -> task.id(documentId).with(Debounce.of(Duration.ofSeconds(5), Duration.ofMinutes(1))));
	}

	@DelayQueueListener(queue = "daily_digest", id = "digest", cron = "0 0 9 * * *", zone = "Europe/Paris")
	@DelayQueueListener(queue = { "reindex", "welcome_mail" })
	void handle(DelayedTask<?> task) {
		// nothing to see
	}

	void change(String product) {
		this.delayQueue.scheduleId("cache_invalidation", product, Duration.ofSeconds(5));
	}

	ScheduleResult welcome(String user) {
		return this.delayQueue.schedule("welcome_mail", (task) -> task.id(user).onDuplicate(DuplicatePolicy.REJECT));
	}

	void due(String invoice, String tenant) {
		this.delayQueue.schedule("invoice",
				(task) -> task.id(invoice).delay(Duration.ofDays(14)).header("tenant", tenant));
	}

	@DelayQueueListener(queue = "payout")
	void pay(DelayedTask<Payout> task) {
		if (this.paidOut.add(task.id())) {
			this.accounts.merge(task.payload().account(), task.payload().amount(), Long::sum);
		}
	}

	long balance(String account) {
		return this.accounts.getOrDefault(account, 0L);
	}

	@DelayQueueListener(queue = "import")
	TaskResult read(Row row) {
		return row.cells().isEmpty() ? TaskResult.deadLetter("an empty row") : TaskResult.done();
	}

	record Reminder(String invoice, int number) {

	}

	record Coupon(String code, LocalDate lastDay, ZoneId zone) {

	}

	record Payout(String account, long amount) {

	}

	record Row(List<String> cells) {

	}

}
