package io.github.delayqueue.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.producer.TaskDetails;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What somebody on call does with dead letters on the page.
 */
class DeadTasksPageIntegrationTests extends AbstractDashboardIntegrationTests {

	private static final String QUEUE = "letters";

	private static final String OTHER = "parcels";

	private static final String CAUSE = ".cause-of th";

	/** The story of docs/operations/incident.md. */
	@Test
	void partnerIsAwayAndThreeHundredTasksDieAndAreRedrivenOverTenMinutes() {
		try (WebhookServer partner = WebhookServer.refusing(Integer.MAX_VALUE)) {
			for (int i = 0; i < 300; i++) {
				shop.exchangePost("/webhooks", "{\"url\":\"" + partner.url() + "\"}").expectStatus().isCreated();
			}
			Awaitility.await().until(() -> delayQueue().stats("webhook").dead() == 300);
			open("/");
			browser.awaitText("tbody[data-key=webhook] .cause.danger", "300 died in the last hour (usually 0).");
			browser.awaitText("tbody[data-key=webhook] .top", "100% WebhookNotAcceptedException");
			browser.keep("incident-overview");

			browser.click("tbody[data-key=webhook] .cause .button");
			browser.awaitText(CAUSE, "WebhookNotAcceptedException");
			browser.awaitText(CAUSE, "it answered 503");
			browser.awaitText(".cause-of .number", "300");
			assertThat(browser.count(".cause-of")).isEqualTo(1);
			see(".tasks");
			browser.keep("incident-cause");
			browser.click(".rows tr:first-child th a");
			browser.awaitText("[data-key=story] li:nth-last-child(2)", "Attempt 2");
			browser.awaitText("[data-key=story]", "Attempt 1");
			browser.awaitText("[data-key=story] li:last-child", "Dead");
			browser.awaitText("[data-key=trace]", "at io.github.delayqueue.sample.webhook.WebhookListener.call");
			browser.keep("incident-task");

			partner.accept();
			browser.run("history.back()");
			browser.click(".cause-of [data-dead=redrive]");
			browser.awaitText("dialog[open]", "Schedule 300 dead letters");
			browser.click("#dialog-confirm");
			browser.awaitText("#job", "It was handled");
			browser.awaitText(".cause-of .number", "299");
			see(".tasks");
			browser.keep("incident-tried");

			browser.click("[data-job=rest]");
			browser.awaitText("dialog[open]", "Schedule 299 dead letters");
			assertThat(browser.count("dialog input[value='10']:checked")).isEqualTo(1);
			browser.click("#dialog-confirm");
			browser.awaitText("#job", "Redrive: done, 299 of 299; they fall due until ");
			browser.awaitText(".tiles [data-key=dead]", "0");
			List<TaskDetails> waiting = delayQueue().list("webhook", TaskState.SCHEDULED, 0, 500);
			Instant last = waiting.get(waiting.size() - 1).dueAt();
			assertThat(Duration.between(waiting.get(0).dueAt(), last)).isBetween(Duration.ofMinutes(8),
					Duration.ofMinutes(10));
			assertThat(waiting).hasSizeGreaterThan(250);
			browser.run("window.scrollTo(0, 0)");
			browser.awaitText(".ahead .peak", "fall due at");
			browser.keep("incident-spread");

			// the ten minutes pass
			waiting.forEach((task) -> delayQueue().reschedule("webhook", task.id(), Duration.ZERO));
			Awaitility.await().until(() -> delayQueue().stats("webhook").waiting() == 0);
			browser.awaitText(".tiles [data-key=waiting]", "0");
			browser.click("main nav a");
			browser.awaitText(".verdict.good h1", "queues are on time");
			assertThat(partner.calls()).hasSize(900);
		}
	}

	@Test
	void oneThatFailsAgainSaysSo() {
		try (WebhookServer partner = WebhookServer.refusing(Integer.MAX_VALUE)) {
			String id = shop.create("/webhooks", "{\"url\":\"" + partner.url() + "\"}").required("id").stringValue();
			shop.awaitStatus("/webhooks/" + id, "DEAD");
			open("/queue?name=webhook");
			browser.click("input[data-cause]");
			redrive("one");
			browser.awaitText("#job .failed", "It has failed again");
			browser.awaitText("#job", "it answered 503");
			browser.click("[data-job=close]");
			browser.awaitCount("#job section", 0);
		}
	}

	@Test
	void redriveIsStoppedAndResumed() {
		die(1200, "Order %d is unknown");
		die(3, "The bank said no");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".cause-of .number", "1,200");
		browser.run("""
				const real = window.fetch;
				let calls = 0;
				window.fetch = (url, options) => options.method !== 'POST' || ++calls !== 2 ? real(url, options)
						: new Promise((resolve) => window.answer = () => real(url, options).then(resolve));
				""");
		browser.click(".cause-of:first-of-type input");
		browser.awaitText(".selection", "1,200 selected");
		redrive("now");
		browser.awaitText("#job", "Redrive: 500 of 1,200");
		browser.click("[data-job=stop]");
		browser.run("window.answer()");
		browser.awaitText("#job", "Redrive: stopped at 1,000 of 1,200");
		assertThat(delayQueue().stats(QUEUE).dead()).isEqualTo(203);
		browser.click("[data-job=resume]");
		browser.awaitText("#job", "Redrive: done, 1,200 of 1,200");
		assertThat(delayQueue().stats(QUEUE).dead()).isEqualTo(3);
		browser.awaitText(CAUSE, "The bank said no");
	}

	@Test
	void manyAreDeletedOnlyIfTheirNumberIsTyped() {
		die(120, "Order %d is unknown");
		open("/queue?name=" + QUEUE);
		browser.click("input[data-cause]");
		browser.click("[data-dead=delete]");
		browser.type("dialog input[name=number]", "12");
		browser.click("#dialog-confirm");
		assertThat(browser.count("dialog[open]")).isEqualTo(1);
		assertThat(delayQueue().stats(QUEUE).dead()).isEqualTo(120);
		browser.type("dialog input[name=number]", "120");
		browser.click("#dialog-confirm");
		browser.awaitText("#job", "Delete: done, 120 of 120");
		browser.awaitText(".tiles [data-key=dead]", "0");
		assertThat(delayQueue().stats(QUEUE).dead()).isZero();
	}

	@Test
	void resumedBeforeItHasStoppedItGoesOnOnce() {
		die(600, "Order %d is unknown");
		die(3, "The bank said no");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".cause-of .number", "600");
		holdCalls();
		browser.click("input[data-all]");
		browser.awaitText(".selection", "603 selected");
		redrive("now");
		browser.awaitTrue("return window.held === 1");
		browser.click("[data-job=stop]");
		browser.click("[data-job=resume]");
		assertThat(heldCalls()).isEqualTo(1);
		letCallsGo();
		browser.awaitText("#job", "Redrive: done, 603 of 603");
		assertThat(delayQueue().stats(QUEUE).dead()).isZero();
	}

	@Test
	void noMoreAreDeletedThanWereCounted() {
		die(700, "Order %d is unknown");
		open("/queue?name=" + QUEUE);
		browser.run("""
				const real = window.fetch;
				window.fetch = async (url, options) => {
					const answer = await real(url, options);
					if (!url.includes('/dead')) {
						return answer;
					}
					const dead = await answer.json();
					dead.complete = false;
					dead.causes.forEach((each) => each.tasks = 510);
					return new Response(JSON.stringify(dead), { headers: answer.headers });
				};
				""");
		browser.awaitText(".cause-of .number", "510+");
		browser.click("input[data-cause]");
		browser.click("[data-dead=delete]");
		browser.awaitText("dialog[open]", "Delete 510 dead letters");
		browser.type("dialog input[name=number]", "510");
		browser.click("#dialog-confirm");
		browser.awaitText("#job", "Delete: done, 510 of 510");
		assertThat(delayQueue().stats(QUEUE).dead()).isEqualTo(190);
	}

	@Test
	void whatIsSelectedInAnotherQueueStaysSoAndWaitsItsTurn() {
		die(QUEUE, 2, "Order %d is unknown");
		die(OTHER, 2, "Order %d is unknown");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".cause-of .number", "2");
		holdCalls();
		browser.click("input[data-cause]");
		redrive("now");
		browser.awaitTrue("return window.held === 1");
		browser.run("location.hash = '#/queue?name=" + OTHER + "'");
		browser.awaitText("h1", OTHER);
		browser.awaitText(".cause-of .number", "2");
		browser.click("input[data-cause]");
		browser.awaitText(".selection", "2 selected");
		browser.click("[data-dead=delete]");
		browser.awaitText("#notice", "Wait");
		assertThat(browser.count("dialog[open]")).isZero();
		letCallsGo();
		browser.awaitText("#job", "Redrive: done, 2 of 2");
		browser.awaitText(".selection", "2 selected");
		browser.click("[data-dead=delete]");
		browser.awaitText("dialog[open] h2", "Delete");
		browser.click("#dialog-confirm");
		browser.awaitText("#job", "Delete: done, 2 of 2");
		assertThat(delayQueue().stats(OTHER).dead()).isZero();
	}

	@Test
	void keyThatMeansARowDoesNothingToAllOthers() {
		die(2, "Order %d is unknown");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".rows", "Order 1 is unknown");
		browser.run("document.querySelector('.rows th a').focus()");
		browser.press("d");
		assertThat(browser.count("dialog[open]")).isZero();
		browser.press("r");
		browser.awaitText("dialog[open]", "again, due now? Its counts start at zero");
		browser.press(Keys.ESCAPE);
		browser.awaitCount("dialog[open]", 0);
		browser.run("document.querySelector('.cause-of th a').focus()");
		browser.press("d");
		browser.awaitText("dialog[open]", "Delete 2 dead letters of “" + QUEUE + "”");
	}

	@Test
	void noneIsTriedInAQueueThatIsPaused() {
		die(2, "Order %d is unknown");
		delayQueue().pause(QUEUE);
		try {
			open("/queue?name=" + QUEUE);
			browser.click("input[data-cause]");
			browser.click("[data-dead=redrive]");
			browser.awaitText("dialog[open]", "Try one");
			assertThat(browser.count("dialog input[value=one]:disabled")).isEqualTo(1);
		}
		finally {
			delayQueue().resume(QUEUE);
		}
	}

	@Test
	void rowsAreSelectedOneByOneAndAsARange() {
		die(6, "Order %d is unknown");
		open("/queue?name=" + QUEUE);
		browser.click(".rows tr:nth-child(2) input");
		browser.run("document.querySelector('.rows tr:nth-child(5) input')"
				+ ".dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))");
		browser.awaitText(".selection", "4 selected");
		browser.click(".rows tr:nth-child(3) input");
		browser.awaitText(".selection", "3 selected");
		Awaitility.await("a look that keeps the selection")
			.until(() -> browser.count(".rows input:checked") == 3 && browser.count(".rows tr") == 6);
		browser.click("[data-dead=delete]");
		browser.awaitText("dialog[open]", "Delete 3 dead letters");
		browser.click("#dialog-confirm");
		browser.awaitText("#job", "Delete: done, 3 of 3");
		assertThat(delayQueue().list(QUEUE, TaskState.DEAD, 0, 10)).hasSize(3);
		browser.awaitText(".cause-of .number", "3");
		browser.click(".rows tr:nth-child(1) input");
		redrive("1");
		browser.awaitText("#job", "Redrive: done, 1 of 1");
		assertThat(delayQueue().stats(QUEUE).dead()).isEqualTo(2);
	}

	@Test
	void causesFoldAndTheirTasksComeInPages() {
		die(60, "Order %d is unknown");
		die(1, "The bank said no");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".cause-of:first-of-type .number", "60");
		assertThat(browser.count(".rows")).isZero();
		browser.click(".cause-of:first-of-type th a");
		browser.awaitCount(".rows tr", 50);
		browser.click(".pager [data-key=next]");
		browser.awaitCount(".rows tr", 10);
		browser.click(".pager [data-key=first]");
		browser.awaitCount(".rows tr", 50);
		browser.click(".cause-of:first-of-type th a");
		browser.awaitCount(".rows tr", 0);
	}

	@Test
	void causesCanBeReadOnAPhoneInTheDark() {
		die(120, "Order %d is unknown");
		browser.size(390, 844, true);
		browser.prefer("dark");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".cause-of .number", "120");
		browser.click("input[data-cause]");
		browser.awaitText(".selection", "120 selected");
		assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo(390L);
		assertThat(browser.unreadable()).isEqualTo("");
		redrive("60");
		browser.awaitText("#job", "Redrive: done, 120 of 120");
		assertThat((Boolean) browser.run("return document.querySelector('#job section').getBoundingClientRect().bottom"
				+ " <= document.getElementById('places').getBoundingClientRect().top"))
			.as("above the places")
			.isTrue();
	}

	private static void redrive(String when) {
		browser.click("[data-dead=redrive]");
		browser.click("dialog input[value='" + when + "']");
		browser.click("#dialog-confirm");
	}

	/**
	 * On top of the window: for a picture, or because other things lie over its lower
	 * end.
	 */
	private static void see(String css) {
		browser.run("document.querySelector('" + css + "').scrollIntoView()");
	}

	/** What the page asks to be done waits from now on. */
	private static void holdCalls() {
		browser.run("""
				const real = window.fetch;
				window.held = 0;
				window.gate = new Promise((resolve) => window.letGo = resolve);
				window.fetch = async (url, options) => {
					if (options.method === 'POST') {
						window.held++;
						await window.gate;
					}
					return real(url, options);
				};
				""");
	}

	private static long heldCalls() {
		return (Long) browser.run("return window.held");
	}

	private static void letCallsGo() {
		browser.run("window.letGo()");
	}

	private static void die(int tasks, String message) {
		die(QUEUE, tasks, message);
	}

	private static void die(String queue, int tasks, String message) {
		for (int i = 0; i < tasks; i++) {
			delayQueue().schedulePayload(queue, null, Duration.ZERO);
		}
		int died = 0;
		while (died < tasks) {
			for (var task : delayQueue().poll(queue, 500, Duration.ofMinutes(1))) {
				task.deadLetter(message.formatted(died++));
			}
		}
	}

}
