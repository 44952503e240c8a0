package io.github.delayqueue.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.console.page.PageModules;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

/**
 * Getting about on the page of the running shop: search, recurring tasks, addresses,
 * keys, theme and language, and what there is in place of actions where none are allowed.
 */
class DashboardPlacesIntegrationTests extends AbstractDashboardIntegrationTests {

	/** Queues that no listener of the shop takes tasks from. */
	private static final String QUEUE = "invoices";

	private static final String OTHER = "reminders";

	private static final String DIGEST = "digest";

	private static final String ROWS = "table.queues tr[data-key]:not(.why)";

	/** Of another instance, where actions are allowed. */
	private static final String ACTUATOR = "http://elsewhere:8080/actuator";

	@AfterEach
	void forgetChoices() {
		browser.run("localStorage.clear()");
	}

	@Test
	void taskIsFoundByItsIdInWhateverQueueItIs() {
		delayQueue().schedule(QUEUE, "order-1", "payload", Duration.ofDays(1));
		delayQueue().schedule(OTHER, "order-1", null, Duration.ZERO);
		open("/");
		browser.awaitText("h1", "queues");
		browser.press("/");
		browser.awaitText("main", "ids are found in all queues");
		awaitFocus("search");
		browser.press("order-1" + Keys.ENTER);
		browser.awaitText("tr[data-key=" + QUEUE + "]", "in 24 hours");
		browser.awaitText("tr[data-key=" + OTHER + "]", "Scheduled");
		browser.awaitText("[data-key='task order-1'] .empty", "All ");
		browser.keep("dashboard-search");
		assertThat(hash()).isEqualTo("#/search?q=order-1");
		browser.click("tr[data-key=" + QUEUE + "] th a");
		browser.awaitText("[data-key=payload]", "payload");
		assertThat(hash()).isEqualTo("#/task?queue=" + QUEUE + "&id=order-1");
	}

	@Test
	void queueOfThatNameComesFirst() {
		delayQueue().schedule(QUEUE, "task", null, Duration.ofDays(1));
		delayQueue().schedule(OTHER, QUEUE, null, Duration.ofDays(1));
		open("/search?q=" + QUEUE);
		browser.awaitText("[data-key=queues] p:nth-child(2)", QUEUE);
		browser.awaitText("tr[data-key=" + OTHER + "]", "Scheduled");
		browser.click("[data-key=queues] p:nth-child(2) a");
		browser.awaitText("h1", QUEUE);
		open("/search?q=no-such");
		browser.awaitText("main", "It is in none of ");
		assertThat(browser.count("[data-key=queues]")).isZero();
		open("/search?q=remind");
		browser.awaitText("[data-key=queues]", "2 with “remind” in their names");
		browser.click("[data-key=queues] a");
		browser.awaitText("tr[data-key=" + OTHER + "] th", OTHER);
		assertThat(hash()).isEqualTo("#/?search=remind");
	}

	@Test
	void textIsFoundWithinAQueueAndItIsSaidHowFarItWasLookedFor() {
		delayQueue().schedule(QUEUE, "one", Map.of("number", "ord-7"), Duration.ofDays(1));
		delayQueue().schedule(TaskRequest.queue(QUEUE)
			.id("two")
			.header("tenant", "b")
			.payload("ord-8")
			.delay(Duration.ofDays(1))
			.build());
		open("/queue?name=" + QUEUE);
		browser.click("[data-key=find]");
		browser.type("#search", "ORD-");
		browser.press(Keys.ENTER);
		browser.awaitText("[data-key=within]", "2 found, 2 of 2 tasks looked at");
		browser.click("tr[data-key=one] th a");
		browser.awaitText("[data-key=payload]", "ord-7");
		open("/search?q=tenant:+B&where=header&queue=" + QUEUE);
		browser.awaitText("tr[data-key=two]", "Scheduled");
		browser.awaitText("[data-key=within]", "1 found, 2 of 2 tasks looked at");
		open("/search?q=none&where=text&queue=no-such");
		browser.awaitText("[data-key=within] .warning", "There is no queue 'no-such'");
		open("/search");
		browser.awaitText("main", "Paste");
		assertThat(browser.run("return document.getElementById('within').checkVisibility()")).isEqualTo(false);
		readOnly().bean(DelayQueueOperations.class).schedule(QUEUE, "one", "payload", Duration.ofDays(1));
		browser.open(readOnly().url() + "/actuator/delayqueueui#/search?q=pay&where=text&queue=" + QUEUE);
		browser.awaitText("[data-key=within] .warning", "Payloads are not shown to you");
	}

	@Test
	void pageThatNobodyUsesAsksLessOften() {
		open("/");
		browser.awaitText("h1", "queues");
		browser.run("""
				window.waits = [];
				const wait = window.setTimeout;
				window.setTimeout = (step, millis) => { window.waits.push(millis); return wait(step, millis); };
				const now = performance.now.bind(performance);
				performance.now = () => now() + 31_000;
				""");
		Awaitility.await().until(() -> browser.run("return window.waits.includes(8000)").equals(true));
		browser.run("window.waits = []");
		browser.press("j");
		Awaitility.await().until(() -> browser.run("return window.waits.includes(2000)").equals(true));
		assertThat(browser.run("return window.waits.includes(8000)")).isEqualTo(false);
	}

	@Test
	void namesThatScriptsKnowAreNames() {
		List<String> names = List.of("__proto__", "constructor", "toString");
		names.forEach((name) -> delayQueue().schedule(name, name, null, Duration.ofDays(1)));
		for (String name : names) {
			open("/search?q=" + name);
			browser.awaitText("tr[data-key='" + name + "']", "Scheduled");
			open("/queue?name=" + name);
			browser.awaitText("h1", name);
		}
		open("/?quiet=open&search=__");
		browser.awaitText("tr[data-key=__proto__] th", "__proto__");
	}

	@Test
	void idsArePickedOutOfWhatIsPasted() {
		open("/search");
		assertThat(idsIn("订单-1")).isEqualTo("订单-1");
		assertThat(idsIn("Task 'order 1' of queue 'invoices' is dead: DEAD_LETTERED")).isEqualTo("order 1");
		assertThat(idsIn("curl -s -G localhost:8080/actuator/delayqueue/q/tasks --data-urlencode 'id=a b&c'"))
			.isEqualTo("a b&c");
		assertThat(idsIn("http://localhost:8080/actuator/delayqueueui#/task?queue=q&id=a+b%2Fc%25"))
			.isEqualTo("a b/c%");
		assertThat(idsIn("-d '{\"action\":\"redrive\",\"id\":\"say \\\"hi\\\"\"}'")).isEqualTo("say \"hi\"");
		assertThat(idsIn("2026-11-25 23:50:55.123 ERROR [shop-1] OrderService : no payment for order_124, "
				+ "request 0b9d6d5e-6e0c-4f0e-9f1a-2f6c7a8b9c0d"))
			.isEqualTo("shop-1|order_124|0b9d6d5e-6e0c-4f0e-9f1a-2f6c7a8b9c0d");
		assertThat(idsIn("50%")).isEqualTo("50%");
		assertThat(idsIn("x".repeat(300))).isEmpty();
		assertThat(idsIn("单".repeat(86))).as("258 bytes").isEmpty();
	}

	@Test
	void aThousandQueuesComeInPagesAndAreSearchedThrough() {
		TaskStore store = readOnly().bean(TaskStore.class);
		List<String> queues = IntStream.range(0, 1000)
			.mapToObj((i) -> String.format(Locale.ROOT, "tenant-%03d", i))
			.toList();
		queues.forEach(QueueControl.of(store)::announce);
		String all = "%,d".formatted(QueueView.of(store).queues().size());
		readOnly().bean(DelayQueueOperations.class).schedule("tenant-999", "task", null, Duration.ZERO);
		try {
			browser.open(readOnly().url() + "/actuator/delayqueueui");
			assertQuietOnesFold(all);
			readOnly().bean(DelayQueueOperations.class).schedule("tenant-999", "needle", null, Duration.ofDays(1));
			readOnly().bean(DelayQueueOperations.class)
				.schedule(TaskRequest.queue("tenant-998").id("nightly").every(Duration.ofHours(24)).build());
			browser.open(readOnly().url() + "/actuator/delayqueueui#/search");
			browser.run("window.said = new Set(); new MutationObserver(() => document.querySelectorAll('[role=status]')"
					+ ".forEach((each) => said.add(each.textContent)))"
					+ ".observe(document.body, { subtree: true, childList: true, characterData: true })");
			browser.type("#search", "needle");
			browser.press(Keys.ENTER);
			browser.awaitText("tr[data-key=tenant-999]", "Scheduled");
			browser.awaitText("[data-key='task needle'] .empty", "All " + all + " queues looked at");
			assertThat(String.valueOf(browser.run("return [...said].join('|')")))
				.containsPattern("\\d+ of " + all + " queues looked at …");
			browser.open(readOnly().url() + "/actuator/delayqueueui#/recurring");
			browser.awaitText("tr[data-key='tenant-998 nightly']", "every 1 d");
			browser.awaitText("[data-key=looked]", "2 in " + all + " queues");
		}
		finally {
			readOnly().bean(DelayQueueOperations.class).clear("tenant-999");
			readOnly().bean(DelayQueueOperations.class).clear("tenant-998");
			queues.forEach(QueueControl.of(store)::forget);
		}
	}

	private static void assertQuietOnesFold(String all) {
		// what takes the application too long to read comes about a minute later
		browser.awaitText(".verdict h1", "1 of " + all + " queues needs attention");
		browser.awaitText("[data-key='the quiet']", "1,00");
		browser.awaitText("table.queues tr[data-key]:not(.why)", "tenant-999");
		assertThat(browser.count(ROWS)).isLessThan(9);
		browser.awaitText(".pager", "1 to 50 of " + all);
		browser.click("[data-key=fold]");
		browser.awaitCount(ROWS, 50);
		assertThat(hash()).isEqualTo("#/?quiet=open");
		browser.click("[data-key=fold]");
		browser.awaitTrue("return document.querySelectorAll('" + ROWS + "').length < 9");
		browser.click(".pager [data-key=next]");
		browser.awaitText(".pager", "51 to 100 of " + all);
		assertThat(browser.count(ROWS)).as("nothing but quiet ones, so they are not folded").isEqualTo(50);
		browser.type("#filter", "nant-99");
		browser.awaitText(".verdict h1", "1 of 10 queues");
		browser.awaitCount(ROWS, 10);
		assertThat(browser.run("return [...document.querySelectorAll('" + ROWS + "')].slice(0, 2)"
				+ ".map((row) => row.dataset.key).join(' ')"))
			.isEqualTo("tenant-999 tenant-990");
	}

	@Test
	void recurringTasksAreShownWithTheirNextRunsAndFailures() {
		delayQueue()
			.schedule(TaskRequest.queue(QUEUE).id("hourly").every(Duration.ofHours(1)).delay(Duration.ZERO).build());
		delayQueue().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).complete();
		delayQueue().reschedule(QUEUE, "hourly", Duration.ZERO);
		Awaitility.await().until(() -> delayQueue().find("daily_digest", DIGEST).isPresent());
		delayQueue().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).retry(Duration.ofMinutes(5));
		open("/");
		browser.awaitText("h1", "queues");
		go("gr", "#/recurring");
		String row = "tr[data-key='" + QUEUE + " hourly']";
		browser.awaitText(row, "every 1 h");
		browser.keep("dashboard-recurring");
		browser.awaitText("tr[data-key='daily_digest " + DIGEST + "'] td:nth-child(3)", DIGEST_CRON + " Europe/Paris");
		assertThat(browser.count(row + " li")).isEqualTo(3);
		browser.awaitText(row + " td:nth-child(5)", "ago");
		assertThat(browser.count(row + " svg.story :is(.good, .failed, .now, .due)")).isEqualTo(6);
		browser.awaitText("tr[data-key='daily_digest " + DIGEST + "'] td:nth-child(5)", "not known");
		browser.awaitText("[data-key=looked]", "2 in ");
		browser.type("#filter", "invo");
		browser.awaitText("[data-key=looked]", "1 in 1 queues");
		assertThat(hash()).isEqualTo("#/recurring?search=invo");
		browser.click(row + " th a");
		browser.awaitText("[data-key=nextRuns]", ":");
		assertThat(browser.count("[data-key=nextRuns] li")).isEqualTo(3);
		browser.awaitText("[data-key=lastRun] dd", "ago");
	}

	@Test
	void causesOfDeadTasksOfAllQueuesLeadToTheirTasks() {
		String other = QUEUE + "-too";
		try {
			for (String id : List.of("one", "two", "three")) {
				delayQueue().schedule(QUEUE, id, null, Duration.ZERO);
				delayQueue().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no paper");
			}
			delayQueue().schedule(other, "four", null, Duration.ZERO);
			delayQueue().poll(other, 1, Duration.ofMinutes(1)).get(0).deadLetter("no paper");
			delayQueue().schedule(other, "five", null, Duration.ZERO);
			delayQueue().poll(other, 1, Duration.ofMinutes(1)).get(0).deadLetter("no ink");
			open("/");
			browser.awaitText("h1", "queues");
			go("gd", "#/dead");
			browser.awaitText("[data-key=looked]", "5 dead letters in 2 queues");
			browser.awaitText("tbody tr:first-child", "no paper");
			browser.awaitText("tbody tr:first-child td:nth-child(2)", "4");
			browser.awaitText("tbody tr:first-child li:first-child", QUEUE + " 3");
			browser.awaitText("tbody tr:nth-child(2)", "no ink");
			browser.click("tbody tr:first-child li:nth-child(2) a");
			browser.awaitText("tr[data-key=four]", "no paper");
			assertThat(browser.count("tr[data-key=five]")).isZero();
		}
		finally {
			delayQueue().clear(other);
		}
	}

	@Test
	void recurringTaskIsRunNowFromTheListOfAll() {
		delayQueue().schedule(TaskRequest.queue(QUEUE).id("hourly").every(Duration.ofHours(1)).build());
		open("/recurring");
		browser.click("tr[data-key='" + QUEUE + " hourly'] [data-action=run-now]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Run now");
		browser.awaitText("tr[data-key='" + QUEUE + " hourly'] li:first-child", "ago");
	}

	@Test
	void linkToATaskIsCopied() {
		delayQueue().schedule(QUEUE, "order-1", null, Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=order-1");
		browser.awaitText("h1", "order-1");
		browser.run("Object.defineProperty(navigator.clipboard, 'writeText', { configurable: true, "
				+ "value: async (text) => { window.copied = text; } })");
		browser.click("[data-key=link]");
		browser.awaitText("#notice", "Copied");
		String link = String.valueOf(browser.run("return window.copied"));
		browser.open("about:blank");
		browser.open(link);
		browser.awaitText("h1", "order-1");
		browser.run("Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject() })");
		browser.click("[data-key=link]");
		browser.awaitText("dialog[open]", "Copy this text");
		assertThat(browser.run("return getSelection().toString() || document.activeElement.value")).isEqualTo(link);
		browser.press(Keys.ESCAPE);
	}

	@Test
	void filterIsInTheAddress() {
		delayQueue().schedule(QUEUE, "task", null, Duration.ofDays(1));
		open("/");
		browser.type("#filter", "invo");
		browser.awaitText(".verdict h1", "queue");
		assertThat(hash()).isEqualTo("#/?search=invo");
		browser.awaitCount("tr[data-key=webhook]", 0);
		String address = String.valueOf(browser.run("return location.href"));
		browser.open("about:blank");
		browser.open(address);
		browser.awaitText("tr[data-key=" + QUEUE + "] th", QUEUE);
		assertThat(browser.count("tr[data-key=webhook]")).isZero();
		assertThat(browser.run("return document.querySelector('#filter').value")).isEqualTo("invo");
		browser.click("tr[data-key=" + QUEUE + "] th a");
		browser.awaitText("h1", QUEUE);
		browser.run("history.back()");
		browser.awaitText("tr[data-key=" + QUEUE + "] th", QUEUE);
		assertThat(browser.count("tr[data-key=webhook]")).isZero();
		browser.type("#filter", "no such queue");
		browser.awaitText("main", "No queue matches");
		browser.click(".brand");
		browser.awaitText("tr[data-key=webhook] th", "webhook");
		assertThat(browser.run("return document.querySelector('#filter').value")).isEqualTo("");
	}

	@Test
	void everythingIsDoneByKeys() {
		delayQueue().schedule(QUEUE, "first", null, Duration.ofDays(1));
		delayQueue().schedule(QUEUE, "second", null, Duration.ofDays(2));
		open("/queue?name=" + QUEUE);
		browser.awaitText("tr[data-key=second]", "second");
		browser.press("jj");
		assertThat(focused()).isEqualTo("second");
		browser.press("k");
		assertThat(focused()).isEqualTo("first");
		browser.press("d");
		browser.awaitText("dialog[open]", "Cancel “first”");
		browser.press(Keys.ESCAPE);
		browser.awaitCount("dialog[open]", 0);
		browser.press("p");
		browser.awaitText("dialog[open]", "Pause “" + QUEUE + "”");
		browser.press("j");
		assertThat(browser.count("dialog[open]")).as("letters mean nothing else in a dialog").isEqualTo(1);
		browser.press(Keys.ESCAPE);
		browser.awaitCount("dialog[open]", 0);
		browser.run("document.querySelector('tr[data-key=first] a').focus()");
		browser.press(Keys.ENTER);
		browser.awaitText("h1", "first");
		browser.press(Keys.ESCAPE);
		browser.awaitText("h1", QUEUE);
		browser.press(Keys.ESCAPE);
		browser.awaitText("h1", "queues");
		browser.press("f");
		browser.press("?gt");
		assertThat(browser.run("return document.activeElement.value")).as("letters in a field are letters")
			.isEqualTo("?gt");
		browser.type("#filter", "");
		browser.press(Keys.ESCAPE);
		browser.press("?");
		browser.awaitText("dialog[open] .keys", "Next row");
		browser.awaitText("dialog[open] .keys", "Recurring");
		browser.click("#dialog-cancel");
		assertThat(delayQueue().stats(QUEUE).waiting()).isEqualTo(2);
	}

	@Test
	void whoGoesBackIsWhereTheyLeftAndWhoSkipsIsAtTheContent() {
		for (int i = 0; i < 40; i++) {
			delayQueue().schedule(QUEUE, "task-" + i, null, Duration.ofMinutes(i + 60));
		}
		open("/queue?name=" + QUEUE);
		browser.awaitText("tr[data-key=task-39]", "task-39");
		browser.run("window.scrollTo(0, 700)");
		browser.run("document.querySelector('tr[data-key=task-39] th a').click()");
		browser.awaitText("h1", "task-39");
		browser.run("history.back()");
		browser.awaitText("tr[data-key=task-39]", "task-39");
		browser.awaitTrue("return Math.round(window.scrollY) === 700");
		browser.run("document.getElementById('skip').focus()");
		browser.press(Keys.ENTER);
		awaitFocus("view");
	}

	@Test
	void keyThatIsHeldWithAnotherIsTheBrowsers() {
		open("/");
		browser.awaitText("h1", "queues");
		browser.run("for (const key of ['ctrlKey', 'altKey', 'metaKey']) { document.body.dispatchEvent("
				+ "new KeyboardEvent('keydown', { key: 't', [key]: true, bubbles: true })) }");
		assertThat(browser.run("return document.documentElement.dataset.theme ?? 'system'")).isEqualTo("system");
	}

	@Test
	void lightOrDarkIsChosenAndKept() {
		browser.prefer("dark");
		open("/");
		browser.awaitText("h1", "queues");
		assertThat(scheme()).isEqualTo("dark");
		browser.click("#theme");
		assertThat(scheme()).isEqualTo("light");
		open("/");
		browser.awaitText("h1", "queues");
		assertThat(scheme()).isEqualTo("light");
		browser.prefer("light");
		browser.press("t");
		assertThat(scheme()).isEqualTo("dark");
		browser.click("#theme");
		assertThat(scheme()).isEqualTo("light");
		browser.prefer("dark");
		assertThat(scheme()).as("by the system again").isEqualTo("dark");
		assertThat(browser.run("return localStorage.length")).isEqualTo(0L);
	}

	@Test
	void distancesAndNumbersAreThoseOfTheLanguage() {
		open("/");
		assertThat(formatted("distance(new Date(Date.now() + 35_990_000).toISOString())")).isEqualTo("in 10 hours");
		assertThat(formatted("distance(new Date(Date.now() - 100_000).toISOString())")).isEqualTo("100 seconds ago");
		assertThat(formatted("count(1234567)")).isEqualTo("1,234,567");
		browser.run("localStorage.setItem('delay-queue.language', 'zh-CN')");
		open("/");
		assertThat(formatted("distance(new Date(Date.now() + 35_990_000).toISOString())")).isEqualTo("10小时后");
		assertThat(formatted("distance(new Date(Date.now() - 100_000).toISOString())")).isEqualTo("100秒钟前");
	}

	@Test
	void pageWorksWhereNothingMayBeKept() {
		open("/");
		browser.awaitText("h1", "queues");
		browser.run("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied'); } })");
		browser.click("#theme");
		assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo("light");
		browser.open(shop.page() + "?again");
	}

	@Test
	void commandIsCopiedInPlaceOfEachActionWhereNoneIsAllowed() throws Exception {
		DelayQueueOperations queues = readOnly().bean(DelayQueueOperations.class);
		queues.schedule(QUEUE, "it's", "secret", Duration.ofDays(1));
		queues.schedule(QUEUE, "dead", null, Duration.ZERO);
		queues.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no good");
		try {
			browser.open(readOnly().url() + "/actuator/delayqueueui#/task?queue=" + QUEUE + "&id=it's");
			browser.awaitText("#access", "read-only");
			browser.awaitText("main > .actions", "Cancel task (curl)");
			browser.awaitText("[data-key=payload]", "Not shown");
			assertThat(browser.count("[data-action]")).isZero();
			String address = ACTUATOR + "/delayqueue/" + QUEUE;
			assertThat(arguments("cancel it\\'s")).containsExactly("-X", "POST", address, "-H",
					"Content-Type: application/json", "-d", "{\"id\":\"it's\",\"action\":\"cancel\"}");
			assertThat(arguments("reschedule it\\'s"))
				.contains("{\"id\":\"it's\",\"action\":\"reschedule\",\"delay\":\"PT60S\"}");
			browser.open(readOnly().url() + "/actuator/delayqueueui#/queue?name=" + QUEUE);
			browser.awaitText(".cause-of .actions", "Delete (curl)");
			assertThat(arguments("pause " + QUEUE)).contains("{\"action\":\"pause\"}");
			assertThat(arguments("redrive dead")).contains("{\"id\":\"dead\",\"action\":\"redrive\"}");
			browser.open(readOnly().url() + "/actuator/delayqueueui#/queue?name=order_timeout");
			browser.awaitText("section[data-key=instances]", "Stop (curl)");
			browser.open("about:blank");
		}
		finally {
			queues.clear(QUEUE);
			browser.open(shop.page());
		}
	}

	@Test
	void forgottenQueueIsGone() {
		delayQueue().schedule("short-lived", "task", null, Duration.ofDays(1));
		delayQueue().clear("short-lived");
		open("/queue?name=short-lived");
		browser.click("[data-action=forget]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Forget");
		open("/queue?name=short-lived");
		browser.awaitText("main .empty", "There is no queue 'short-lived'");
	}

	@Test
	void pageWithoutQueuesSaysSo() {
		open("/");
		browser.awaitText("h1", "queues");
		browser
			.run("""
					const real = window.fetch;
					const nothing = { queues: {}, order: [], groups: { DANGER: 0, WARNING: 0, WORKING: 0, QUIET: 0 }, total: 0 };
					window.fetch = (url, options) => !/delayqueue[?]/.test(url) ? real(url, options)
							: new Response(JSON.stringify(nothing), { headers: { 'Content-Type': 'application/json' } });
					""");
		browser.awaitText("h1", "There is no queue yet");
		assertThat(browser.count("table")).isZero();
	}

	@Test
	void rowsThatHaveNotChangedAreNotSentAgainAndOneThatIsMissingIsAskedFor() {
		delayQueue().schedule(QUEUE, "task", null, Duration.ofDays(1));
		delayQueue().schedule(OTHER, "task", null, Duration.ofDays(1));
		open("/");
		browser.awaitText("tr[data-key=" + OTHER + "] th", OTHER);
		browser.run("""
				const real = window.fetch;
				window.sent = [];
				window.fetch = async (url, options) => {
					const response = await real(url, options);
					if (!/delayqueue[?]limit=50/.test(url)) {
						return response;
					}
					const page = await response.json();
					if (window.sent.length === 0) {
						delete page.queues.reminders;
						page.order = page.order.filter((name) => name !== 'reminders');
					}
					window.sent.push(`${/since=/.test(url)} ${Object.keys(page.queues).length}`);
					return new Response(JSON.stringify(page), { headers: { 'Content-Type': 'application/json' } });
				};
				location.hash = '#/?sort=queue';
				""");
		browser.awaitTrue("return window.sent.filter((each) => each === 'true 0').length > 2");
		browser.awaitText("tr[data-key=" + OTHER + "] th", OTHER);
		browser.awaitText("tr[data-key=" + QUEUE + "] th", QUEUE);
		assertThat(String.valueOf(browser.run("return window.sent"))).as("all, what has changed, and all again")
			.containsPattern("^.false \\d+, true \\d+, false \\d+, true ");
	}

	/** Of all that is text in all views, four and a half to one. */
	@Test
	void everythingCanBeReadInAllViewsInLightAndInDark() {
		fill();
		delayQueue().pause(QUEUE);
		delayQueue().schedulePayload(QUEUE, null, Duration.ZERO);
		delayQueue().schedulePayload(OTHER, null, Duration.ZERO);
		open("/");
		browser.awaitText("tbody[data-key=" + QUEUE + "] .cause", "Paused");
		browser.awaitText("tbody[data-key=" + OTHER + "] .cause", "No instance");
		assertReadable();
		open("/queue?name=" + QUEUE);
		browser.awaitText(".tasks tbody", "no paper");
		assertReadable();
		browser.click(".cause-of [data-dead=delete]");
		browser.awaitText("dialog[open]", "cannot be undone");
		assertReadable();
		browser.click("#dialog-cancel");
		open("/task?queue=" + QUEUE + "&id=dead");
		browser.awaitText("[data-key=lastError]", "no paper");
		assertReadable();
		open("/search?q=dead");
		browser.awaitText("tr[data-key=" + QUEUE + "]", "no paper");
		assertReadable();
		open("/search");
		browser.awaitText("main", "Paste");
		assertReadable();
		open("/recurring");
		browser.awaitText("tr[data-key='" + QUEUE + " hourly']", "every 1 h");
		assertReadable();
		browser.press("?");
		browser.awaitText("dialog[open]", "Next row");
		assertReadable();
		browser.click("#dialog-cancel");
		browser.run("window.fetch = () => Promise.reject(new TypeError('no connection'))");
		browser.awaitText("#outage", "does not respond");
		assertReadable();
	}

	@Test
	void everyViewFitsOnAPhoneAndSpeaksTheLanguageThatIsChosen() {
		fill();
		browser.size(390, 844, true);
		for (String language : List.of("en", "zh-CN")) {
			open("/");
			browser.run("localStorage.setItem('delay-queue.language', '" + language + "')");
			for (String place : List.of("/", "/dead", "/recurring", "/search?q=dead", "/queue?name=" + QUEUE,
					"/task?queue=" + QUEUE + "&id=hourly", "/task?queue=" + QUEUE + "&id=dead",
					"/task?queue=" + QUEUE + "&id=none")) {
				open(place);
				browser.awaitTrue("return document.querySelectorAll('main h1').length === 1 "
						+ "&& document.querySelector('main .nothing-yet') === null");
				assertFitsOnAPhone(place);
				if ("zh-CN".equals(language)) {
					assertThat(english()).as(place).isEqualTo("");
				}
			}
		}
	}

	private static void assertFitsOnAPhone(String place) {
		assertThat(browser.run("return document.documentElement.scrollWidth")).as(place).isEqualTo(390L);
		assertThat((Number) browser.run("return Math.min(...[...document.querySelectorAll("
				+ "'#places a, header button')].map((each) => each.getBoundingClientRect().height))"))
			.extracting(Number::doubleValue, as(DOUBLE))
			.isGreaterThanOrEqualTo(44);
		assertThat(browser.run("const places = document.getElementById('places').getBoundingClientRect();"
				+ "return Math.round(places.bottom)"))
			.as("at the bottom")
			.isEqualTo(844L);
	}

	private static Object english() {
		return browser.run("return [...document.querySelectorAll('button, th[scope=col], dt, h2, label, #places a')]"
				+ ".map((each) => each.textContent).filter((text) => /[A-Za-z]{3}/.test(text))"
				+ ".filter((text) => !/curl|order_timeout|dead”|hourly”|English/.test(text)).join('|')");
	}

	@Test
	void languageIsChosenAndForgotten() {
		open("/");
		browser.awaitText("h1", "queues");
		browser.click("#language");
		browser.awaitText("h1", "个队列");
		browser.click("#language");
		browser.awaitText("#places", "Recurring");
		assertThat(browser.run("return localStorage.length")).isEqualTo(0L);
	}

	private static void assertReadable() {
		for (boolean phone : List.of(true, false)) {
			browser.size(phone ? 390 : 1200, 844, phone);
			for (String scheme : List.of("light", "dark")) {
				browser.prefer(scheme);
				assertThat(browser.unreadable()).as(scheme + (phone ? " on a phone " : " ") + hash()).isEqualTo("");
			}
		}
	}

	/** A dead letter, one that waits, and a recurring one. */
	private static void fill() {
		delayQueue().schedule(QUEUE, "dead", "payload", Duration.ZERO);
		delayQueue().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no paper");
		delayQueue().schedule(QUEUE, "waiting", null, Duration.ofMinutes(30));
		delayQueue().schedule(TaskRequest.queue(QUEUE).id("hourly").every(Duration.ofHours(1)).build());
	}

	/** What a shell would give to curl. */
	private static List<String> arguments(String key) throws Exception {
		return shell(String.valueOf(browser.run("return document.querySelector(\"[data-copy][data-key='"
				+ key.replace("\\", "\\\\") + "']\").dataset.copy")));
	}

	private static List<String> shell(String command) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder("sh", "-c", "curl() { printf '%s\\n' \"$@\"; }; " + command);
		builder.environment().put("ACTUATOR", ACTUATOR);
		Process shell = builder.start();
		String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(shell.waitFor(10, TimeUnit.SECONDS)).isTrue();
		return output.lines().toList();
	}

	private static String idsIn(String text) {
		return String.valueOf(browser.run(PageModules.with("search.js",
				"return module.idsIn(" + new JsonMapper().writeValueAsString(text) + ").join('|')")));
	}

	private static String formatted(String call) {
		return String.valueOf(browser.run(PageModules.with("format.js",
				"const now = Date.now(); const { now: clock } = Date; Date.now = () => now; try { return module." + call
						+ "; } finally { Date.now = clock; }")));
	}

	/** The second key counts only if it comes soon after the first one. */
	private static void go(String keys, String place) {
		Awaitility.await().until(() -> {
			browser.press(keys);
			return hash();
		}, place::equals);
	}

	private static String scheme() {
		String ground = String
			.valueOf(browser.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]"));
		return (Integer.parseInt(ground) > 128) ? "light" : "dark";
	}

	private static Object hash() {
		return browser.run("return location.hash");
	}

	private static Object focused() {
		return browser.run("return document.activeElement.textContent");
	}

	private static void awaitFocus(String id) {
		browser.awaitTrue("return document.activeElement.id === '" + id + "'");
	}

}
