package io.github.delayqueue.sample;

import java.time.Duration;
import java.util.Locale;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.data.redis.core.HashOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What somebody asks who is woken at three in the morning, and how many clicks each
 * answer takes: with more queues than are on a page, in a full run a thousand, five kinds
 * of trouble, a handler that hangs and an instance that was killed. The output says how
 * many seconds each took; they are those of the machine, so only clicks are asserted.
 */
class DashboardNightIntegrationTests extends AbstractDashboardIntegrationTests {

	private static final String INSTANCES = "delay:queue:instances";

	private static final int TENANTS = TestEffort.pick(60, 1000);

	/** How the number of all queues begins. */
	private static final String ALL = TestEffort.isFull() ? "1,0" : "7";

	/** More of them are deleted only by who types their number. */
	private static final int POISON = 101;

	private WebhookServer partner;

	private int clicks;

	private long askedAt;

	@BeforeEach
	void tell() {
		TaskStore store = shop.bean(TaskStore.class);
		for (int i = 0; i < TENANTS; i++) {
			QueueControl.of(store).announce(String.format(Locale.ROOT, "tenant-%03d", i));
		}
		for (int i = 0; i < POISON; i++) {
			delayQueue().schedulePayload("payments", "payment", Duration.ZERO);
		}
		delayQueue().poll("payments", POISON, Duration.ofMinutes(1))
			.forEach((task) -> task.deadLetter("no such currency"));
		this.partner = WebhookServer.refusing(Integer.MAX_VALUE);
		for (int i = 0; i < 20; i++) {
			shop.exchangePost("/webhooks", "{\"url\":\"" + this.partner.url() + "\"}").expectStatus().isCreated();
		}
		Awaitility.await().until(() -> delayQueue().stats("webhook").dead() == 20);
		this.partner.accept();
		for (int i = 0; i < 60; i++) {
			delayQueue().schedulePayload("letters", "letter", Duration.ZERO);
		}
		delayQueue().poll("letters", 60, Duration.ofMinutes(1)).forEach((task) -> task.retry(Duration.ofMinutes(5)));
		delayQueue().schedule("webhok", "misspelt", null, Duration.ZERO);
		delayQueue().schedule("parcels", "quick", null, Duration.ZERO);
		delayQueue().poll("parcels", 1, Duration.ofMinutes(1)).forEach(ClaimedTask::complete);
		delayQueue().schedule("parcels", "order-4711", null, Duration.ofMinutes(30));
		delayQueue().pause("parcels-paused");
		delayQueue().poll("parcels-paused", 1, Duration.ofMinutes(1));
		delayQueue().schedule("parcels-paused", "waiting", null, Duration.ZERO);
		leave("hung", 0, "host-7", "\"calls\":[{\"task\":\"parcel-1\",\"ran\":900000,\"patience\":15000}]");
		leave("killed", 600, "host-9", "\"calls\":[]");
	}

	@AfterEach
	void forget() {
		this.partner.close();
		HashOperations<String, String, String> traces = shop.bean(StringRedisTemplate.class).opsForHash();
		String self = shop.bean(DelayQueueListenerContainerRegistry.class).getInstance();
		traces.keys(INSTANCES).stream().filter((id) -> !id.equals(self)).forEach((id) -> traces.delete(INSTANCES, id));
	}

	@Test
	void eachQuestionOfTheNightIsAnsweredWithinSoManyClicks() {
		browser.hurry(false);
		this.askedAt = System.nanoTime();
		// what is wrong, where it is worst, and why
		open("/");
		browser.awaitText(".verdict h1", "6 of " + ALL);
		browser.awaitText("tbody[data-key=payments] .top", "100% no such currency");
		browser.awaitText("tbody[data-key=webhook] .top", "100% WebhookNotAcceptedException");
		browser.awaitText("tbody[data-key=webhok] .cause", "No instance consumes it");
		browser.awaitText("tbody[data-key=letters] .cause", "60 waiting for another attempt");
		browser.awaitText("tbody[data-key=parcels-paused] .cause", "Paused");
		assertThat(browser.run("return document.querySelector('tbody.trouble').dataset.key")).isEqualTo("payments");
		answered("what is wrong, where, and why", 0);

		// what the next hour brings
		browser.awaitText(".strip [data-key=range_hour]", "61");
		answered("the next hour of all queues", 0);
		click("tr[data-key=parcels] th a");
		browser.awaitText(".ahead .peak", "1 task falls due at");
		answered("the next hour of a queue", 1);

		// which instance is bad
		open("/");
		browser.awaitText("tbody[data-key=parcels] .cause", "parcel-1' on host-7 has been running for 15 min");
		answered("who hangs where", 0);
		click("#places [data-key=instances]");
		browser.awaitText("[data-key=runningNow] tbody tr:first-child", "parcel-1 parcels host-7");
		browser.awaitText("section[data-key=instances] tbody tr:first-child", "host-9");
		browser.awaitText("section[data-key=instances] tbody tr:first-child", "silent");
		answered("which instance is bad", 1);

		// where an order is that a log has named
		browser.press("/");
		browser.awaitText("h1", "Find");
		browser.press("ERROR [shop-1] no parcel for order-4711, giving up" + Keys.ENTER);
		browser.awaitText("[data-key='task order-4711'] tr[data-key=parcels]", "Scheduled");
		browser.awaitText("[data-key='task order-4711'] .empty", "All " + ALL);
		answered("where an order is", 0);

		// whether it works again: one, and then the rest over ten minutes
		open("/");
		click("tbody[data-key=webhook] .cause .button");
		browser.awaitText(".cause-of .number", "20");
		answered("what they have died of", 1);
		click(".cause-of [data-dead=redrive]", "#dialog-confirm");
		browser.awaitText("#job", "It was handled");
		answered("try one", 2);
		click("[data-job=rest]", "#dialog-confirm");
		browser.awaitText("#job", "Redrive: done, 19 of 19; they fall due until ");
		answered("the rest over ten minutes", 2);

		// who did that
		browser.awaitText("[data-key=changes] tbody", "anonymous Redrive 19");
		answered("who did it", 0);

		// away with poison
		open("/");
		click("tbody[data-key=payments] .cause .button", ".cause-of [data-dead=delete]");
		browser.type("dialog input[name=number]", String.valueOf(POISON));
		click("#dialog-confirm");
		browser.awaitText("#job", "Delete: done, 101 of 101");
		answered("delete poison", 3);

		// and on with what was paused
		open("/");
		click("tbody[data-key=parcels-paused] [data-action=resume]", "#dialog-confirm");
		browser.awaitText("#notice", "Done: Resume");
		answered("resume", 2);
	}

	@Test
	void nightIsDoneByKeysAlone() {
		open("/");
		browser.awaitText("tbody[data-key=webhook] .top", "WebhookNotAccepted");
		browser.press("jj");
		browser.press(Keys.ENTER);
		browser.awaitText("h1", "webhook");
		browser.awaitText(".cause-of .number", "20");
		browser.press("jx");
		browser.press("r");
		browser.awaitText("dialog[open]", "Schedule 20 dead letters");
		browser.press(Keys.ENTER);
		browser.awaitText("#job", "It was handled");
		browser.press("gi");
		browser.awaitText("[data-key=runningNow] tbody tr:first-child", "host-7");
		browser.press("gq");
		browser.awaitText("tbody[data-key=parcels-paused] .cause", "Paused");
		Awaitility.await().until(() -> {
			browser.press("j");
			return browser.run("return document.activeElement.textContent");
		}, "parcels-paused"::equals);
		browser.press("p");
		browser.awaitText("dialog[open]", "Resume");
		browser.press(Keys.TAB);
		browser.press(Keys.ENTER);
		browser.awaitText("#notice", "Done: Resume");
	}

	private void click(String... places) {
		for (String place : places) {
			browser.click(place);
			this.clicks++;
		}
	}

	private void answered(String question, int expected) {
		long now = System.nanoTime();
		System.out.printf(Locale.ROOT, "%s: %d clicks, %.1f s%n", question, this.clicks, (now - this.askedAt) / 1e9);
		assertThat(this.clicks).as(question).isEqualTo(expected);
		this.clicks = 0;
		this.askedAt = now;
	}

	private static void leave(String id, int secondsAgo, String host, String calls) {
		shop.bean(StringRedisTemplate.class)
			.opsForHash()
			.put(INSTANCES, id, (System.currentTimeMillis() - secondsAgo * 1000L) + """
					 {"host":"%s","pid":4711,"application":"shop","version":"9.9.9","startedAgo":900000,"every":20000,\
					"complete":true,"ended":false,"consumers":[{"listener":"parcels.send","queue":"parcels",\
					"workers":4,"active":4,"since":900000,"polledAgo":412,%s}],"stopped":[]}""".formatted(host, calls));
	}

}
