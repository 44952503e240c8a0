package io.github.delayqueue.sample;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.console.page.PageModules;
import io.github.delayqueue.groups.Group;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.console.TroubleRules;
import io.github.delayqueue.testsupport.Browser;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The overview and the views of queues and tasks.
 */
class DashboardIntegrationTests extends AbstractDashboardIntegrationTests {

	/** A queue that no listener of the shop takes tasks from. */
	private static final String QUEUE = "invoices";

	/** The queues, from top to bottom. */
	private static final String ROWS = "[...document.querySelectorAll('table.queues tr[data-key]:not(.why)')]"
			+ ".map((row) => row.dataset.key)";

	private static final JsonMapper JSON = new JsonMapper();

	@Test
	void deadTaskIsSeenReadRedrivenAndSeenHandled() {
		try (WebhookServer server = WebhookServer.refusing(2)) {
			String webhook = deadWebhook(server);
			open("/");
			browser.awaitText("tr[data-key=webhook] td.dead a", "1");
			browser.click("tr[data-key=webhook] td.dead a");
			browser.awaitText(".cause-of th", "Attempts used up");
			browser.awaitText("tr[data-key=" + webhook + "] .reason", "it answered 503");
			browser.click("tr[data-key=" + webhook + "] a");
			browser.awaitText("[data-key=reason]", "Attempts used up");
			browser.awaitText("[data-key=lastError]", "WebhookNotAcceptedException");
			browser.awaitText("[data-key=failures]", "2");
			browser.awaitText("[data-key=payload]", "\"url\": \"" + server.url() + "\"");
			browser.keep("dashboard-dead-letter");

			browser.click("[data-action=redrive]");
			browser.awaitText("dialog[open]", "Schedule “" + webhook + "” again");
			browser.click("#dialog-cancel");
			browser.awaitCount("dialog[open]", 0);
			assertThat(server.calls()).hasSize(2);

			browser.click("[data-action=redrive]");
			browser.click("#dialog-confirm");
			browser.awaitText("#notice", "Done: Redrive (1)");
			browser.awaitText("main", "Not found: it was handled");
			assertThat(server.calls()).hasSize(3);
			shop.awaitStatus("/webhooks/" + webhook, "DELIVERED");
			browser.click("main nav a");
			browser.awaitText("tr[data-key=webhook] td[data-label=Dead]", "0");
		}
	}

	@Test
	void worstQueuesAreOnTopWithCauseAndRemedy() {
		delayQueue().schedule("z-nobody", "task", null, Duration.ZERO);
		pauseWithWork("a-paused");
		open("/");
		browser.awaitText("tbody[data-key=a-paused] .cause.warning", "Paused: 1 due meanwhile, the oldest for");
		browser.awaitText("tbody[data-key=z-nobody] .cause.danger", "No instance consumes it: 1 due");
		assertThat(rows()).startsWith("z-nobody", "a-paused");
		browser.awaitText(".verdict.danger h1", "2 of ");
		browser.awaitText("tbody.group:first-of-type", "Needs attention");
		browser.click("tbody[data-key=a-paused] [data-action=resume]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Resume");
		browser.run("document.activeElement.blur()");
		browser.point("#connection");
		browser.awaitText(".verdict.danger h1", "1 of ");
		delayQueue().clear("z-nobody");
		browser.awaitText(".verdict.good h1", "queues are on time");
	}

	/** The proxy takes the prefix away, and says nothing of it. */
	@Test
	void pageReadsAndActsBehindTheProxyOfAPrefix() throws IOException {
		delayQueue().schedule(QUEUE, "a", null, Duration.ofDays(1));
		URI page = URI.create(shop.page());
		HttpServer proxy = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		proxy.createContext("/tools/shop/", (exchange) -> pass(exchange, page.resolve("/")));
		proxy.start();
		try {
			browser.open("http://127.0.0.1:" + proxy.getAddress().getPort() + "/tools/shop" + page.getPath()
					+ "#/task?queue=" + QUEUE + "&id=a");
			browser.click("[data-action=cancel]");
			browser.click("#dialog-confirm");
			browser.awaitText("#notice", "Done: Cancel task");
			assertThat(delayQueue().find(QUEUE, "a")).isEmpty();
			browser.open("about:blank");
		}
		finally {
			proxy.stop(0);
		}
	}

	private static void pass(HttpExchange exchange, URI target) throws IOException {
		String path = exchange.getRequestURI().toString().substring("/tools/shop/".length());
		String type = exchange.getRequestHeaders().getFirst("Content-Type");
		HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve(path))
			.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
			.header("Accept", exchange.getRequestHeaders().getFirst("Accept"));
		try {
			HttpResponse<byte[]> answer = HttpClient.newHttpClient()
				.send((type != null) ? request.header("Content-Type", type).build() : request.build(),
						BodyHandlers.ofByteArray());
			answer.headers()
				.firstValue("Content-Type")
				.ifPresent((value) -> exchange.getResponseHeaders().set("Content-Type", value));
			exchange.sendResponseHeaders(answer.statusCode(), (answer.body().length > 0) ? answer.body().length : -1);
			exchange.getResponseBody().write(answer.body());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			exchange.close();
		}
	}

	@Test
	void rowsStayWhereTheyAreWhileSomebodyPointsAtThem() {
		pauseWithWork("b-paused");
		open("/");
		browser.awaitText("tbody[data-key=b-paused] .cause", "Paused");
		List<String> before = rows();
		browser.point("tr[data-key=booking] th");
		delayQueue().schedule("y-nobody", "task", null, Duration.ZERO);
		browser.awaitText(".verdict h1", "2 of");
		awaitNews("y-nobody: No instance consumes it: 1 due");
		delayQueue().resume("b-paused");
		browser.awaitText("tbody[data-key=b-paused] .cause", "It is over.");
		assertThat(rows()).isEqualTo(before);
		delayQueue().pause("b-paused");
		browser.awaitText("tbody[data-key=b-paused] .cause", "Paused");
		browser.run("document.querySelector('tr[data-key=webhook] a').focus()");
		browser.point("#connection");
		browser.awaitText(".verdict h1", "2 of");
		assertThat(rows()).as("the focus is in the table").isEqualTo(before);
		browser.run("document.activeElement.blur()");
		browser.awaitText("tbody[data-key=y-nobody] .cause.danger", "No instance");
		assertThat(rows()).startsWith("y-nobody", "b-paused");
	}

	@Test
	void refusalIsNotTakenForAnOutageAndFiguresStay() {
		open("/");
		browser.awaitText("tr[data-key=webhook] th", "webhook");
		browser.run("window.real = window.fetch");
		browser.run("window.alarms = 0; window.looks = 0; new MutationObserver(() => window.alarms++)"
				+ ".observe(document.getElementById('outage'), { childList: true }); window.fetch = (...call) => ++looks === 1 "
				+ "? Promise.resolve(new Response('{\"error\":\"Ask later\"}', { status: 429 })) : real(...call)");
		browser.awaitTrue("return window.looks > 3");
		assertThat(browser.run("return window.alarms")).as("one refusal alarms nobody").isEqualTo(0L);
		for (int status : new int[] { 429, 503 }) {
			browser.run("window.fetch = async () => new Response('{\"error\":\"Ask later\"}', { status: " + status
					+ ", headers: { 'Content-Type': 'application/json' } })");
			browser.awaitText("#outage strong",
					(status == 503) ? "Redis does not respond" : "The page could not be refreshed");
			browser.awaitText("#outage .verdict", "Ask later");
		}
		browser.run("window.fetch = () => Promise.reject(new TypeError('no connection'));");
		browser.awaitText("#outage strong", "The application does not respond");
		browser.awaitText("#outage .verdict.danger", "may be out of date");
		browser.awaitText("main.old tr[data-key=webhook] th", "webhook");
		browser.run("window.fetch = window.real");
		browser.awaitText("#connection", "live");
		assertThat(browser.count("#outage .verdict, main.old")).isZero();
	}

	@Test
	void columnIsSortedByMouseAndKeyboardAndTheWayBackIsUrgency() {
		fill();
		pauseWithWork("b-paused");
		delayQueue().schedule("far", "task", null, Duration.ofDays(90));
		open("/?search=a");
		browser.awaitText("tbody[data-key=b-paused] .cause", "Paused");
		assertThat(rows()).startsWith("b-paused");
		browser.click("[data-sort=queue]");
		browser.awaitText("th[aria-sort=ascending]", "Queue ↑");
		awaitRows("rows[0] === 'b-paused' && rows[1] === 'daily_digest'");
		assertThat(browser.count(".group")).as("groups").isZero();
		browser.press(Keys.ENTER);
		browser.awaitText("th[aria-sort=descending]", "Queue ↓");
		awaitRows("`${rows}` === `${[...rows].sort().reverse()}`");
		assertThat(browser.run("return document.activeElement.dataset.sort")).isEqualTo("queue");
		assertThat(browser.run("return location.hash")).isEqualTo("#/?search=a&sort=-queue");
		browser.press(Keys.ENTER);
		browser.awaitText(".group", "Needs attention");
		browser.run("document.activeElement.blur()");
		browser.point("#connection");
		browser.click("[data-sort=late]");
		browser.awaitText("th.due[aria-sort=descending]", "↓");
		awaitRows("rows[0] === 'b-paused'");
		browser.run("history.back()");
		browser.awaitText(".group", "Needs attention");
		assertThat(browser.count("[aria-sort]")).isZero();
	}

	@Test
	void deathsOfADayAreALineInTheRow() {
		fill();
		open("/");
		browser.awaitText("tr[data-key=" + QUEUE + "] td.dead", "+3 in 1 h");
		assertThat(browser.count("svg.deaths")).isEqualTo(1);
		assertThat(String.valueOf(browser
			.run("return document.querySelector('tr[data-key=" + QUEUE + "] svg.deaths').getAttribute('aria-label')")))
			.isEqualTo("3 died within 24 hours, at most 3 within one");
		assertThat(browser.count("svg.deaths rect")).isEqualTo(24);
	}

	@Test
	void timesOfHandlersAreDrawnAndTheirValuesRead() {
		delayQueue().schedule("timed", "task", null, Duration.ofDays(1));
		open("/queue?name=timed");
		browser.awaitText("[data-key=times] .peak", "Nothing was handled");
		StringRedisTemplate redis = new StringRedisTemplate(shop.bean(RedisConnectionFactory.class));
		long quarter = Instant.now().getEpochSecond() / 900;
		redis.opsForList()
			.rightPushAll("delay:queue:{timed}:times", (quarter - 40) + " 0 0 0 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0 0 0 0 7",
					quarter + " 98 0 0 0 2 0 0 0 0 0 0 0 60 35 0 5 0 0 0 0 0 0");
		open("/queue?name=timed");
		browser.awaitText("[data-key=handling] .peak", "Half of the handlers took under 30 ms, 99% under 1 s.");
		browser.awaitText("[data-key=lateness] .peak", "Half of the tasks were under 10 ms late, 99% under 1 s.");
		browser.run("document.querySelector('[data-reads=handling]').focus()");
		browser.press(Keys.ARROW_RIGHT);
		browser.awaitText("[data-key=handling] .value", "under 30 ms: 60 (60%)");
		browser.press(Keys.END);
		browser.awaitText("[data-key=handling] .value", "5 min or more: 0");
		assertThat(browser.run("return document.activeElement.getAttribute('aria-valuetext')"))
			.isEqualTo("5 min or more: 0");
		browser.point("[data-reads=lateness]");
		browser.awaitText("[data-key=lateness] .value", "under 3 s: 0");
		browser.click("[data-key=times] a[data-key=day]");
		browser.awaitText("[data-key=handling] .peak", "99% 5 min or more.");
		assertThat(String.valueOf(browser.run("return location.hash"))).endsWith("span=day");
		redis.delete("delay:queue:{timed}:times");
	}

	@Test
	void queueIsPausedAndResumed() {
		fill();
		open("/queue?name=" + QUEUE);
		browser.click("[data-action=pause]");
		browser.click("#dialog-confirm");
		browser.awaitText("h1", "paused");
		assertThat(delayQueue().stats(QUEUE).paused()).isTrue();
		browser.click("[data-action=resume]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Resume");
		assertThat(delayQueue().stats(QUEUE).paused()).isFalse();
		browser.awaitText("[data-key=changes] tbody tr", "anonymous Resume –");
	}

	@Test
	void taskIsRescheduledRunNowAndCancelled() {
		delayQueue().schedule(QUEUE, "task", "payload", Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=task");
		browser.click("[data-action=reschedule]");
		browser.type("dialog input[name=delay]", "10");
		browser.run("document.querySelector('dialog select').value = 'H'");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Reschedule");
		browser.awaitText("[data-key=dueAt]", "in 10 hours");
		browser.click("[data-action=run-now]");
		browser.click("#dialog-confirm");
		browser.awaitText("[data-key=dueAt]", "ago");
		browser.click("[data-action=cancel]");
		browser.click("#dialog-confirm");
		browser.awaitText("main", "Not found");
		browser.awaitTrue("return document.activeElement.id === 'view'");
		assertThat(delayQueue().find(QUEUE, "task")).isEmpty();
	}

	@Test
	void copyOfATaskIsRunAndTheTaskStays() {
		delayQueue().schedule(QUEUE, "task", Map.of("number", 7), Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=task");
		browser.click("[data-action=copy]");
		browser.awaitText("dialog[open]", "Schedule a copy of “task”");
		browser.click("#dialog-confirm");
		browser.awaitTrue("return !location.hash.endsWith('&id=task')");
		browser.awaitText("[data-key=payload]", "\"number\": 7");
		browser.awaitText("[data-key=story] li", "Due");
		assertThat(delayQueue().stats(QUEUE).waiting()).isEqualTo(2);
	}

	@Test
	void noisyGroupIsSeenPausedAndCancelled() {
		for (int i = 0; i < 3; i++) {
			delayQueue().schedule(TaskRequest.queue(GROUPED).with(Group.group("noisy")).build());
		}
		delayQueue().schedule(TaskRequest.queue(GROUPED).with(Group.group("quiet")).delay(Duration.ofDays(1)).build());
		open("/queue?name=" + GROUPED);
		browser.awaitText("[data-key=groups] tbody tr:first-child", "noisy");
		browser.awaitText("[data-key=groups] tbody tr:last-child", "quiet");
		browser.click("[data-key='group quiet'] [data-action=pauseGroup]");
		browser.awaitText("dialog[open]", "Pause the group “quiet”");
		browser.click("#dialog-confirm");
		browser.awaitText("[data-key='group quiet']", "paused");
		browser.awaitText("[data-key=changes]", "quiet");
		browser.click("[data-key='group quiet'] [data-action=resumeGroup]");
		browser.click("#dialog-confirm");
		browser.awaitCount("[data-key='group quiet'] .badge", 0);
		browser.click("[data-key='group noisy'] [data-action=cancelGroup]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Cancel waiting (3)");
		assertThat(delayQueue().stats(GROUPED).waiting()).isEqualTo(1);
	}

	@Test
	void whatTheServerRefusesIsSaid() {
		delayQueue().schedule(QUEUE, "task", "payload", Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=task");
		browser.click("[data-action=cancel]");
		browser.awaitText("dialog", "task");
		delayQueue().cancel(QUEUE, "task");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice.failed", "has no task 'task'");
	}

	@Test
	void pagesOfAStateAreTurned() {
		for (int i = 0; i < 60; i++) {
			delayQueue().schedule(QUEUE, String.format(Locale.ROOT, "task-%02d", i), "payload",
					Duration.ofMinutes(60 + i));
		}
		open("/queue?name=" + QUEUE);
		browser.awaitText(".pager", "1 to 50 of 60");
		assertThat(browser.count(".tasks tbody tr")).isEqualTo(50);
		browser.click(".pager [data-key=next]");
		browser.awaitText(".pager", "51 to 60 of 60");
		assertThat(browser.count(".tasks tbody tr")).isEqualTo(10);
		browser.click(".pager [data-key=previous]");
		browser.awaitText(".tasks tbody tr", "task-00");
	}

	@Test
	void figuresOfAllQueuesAreInAStrip() {
		fill();
		open("/?search=" + QUEUE);
		browser.awaitText(".strip [data-key=waiting]", "74");
		browser.awaitText(".strip [data-key=range_hour]", "55");
		browser.awaitText(".strip [data-key=dead]", "3\n+3 in 1 h");
		browser.awaitText(".strip [data-key=handled]", "0/s");
		assertThat(String.valueOf(browser.run("return document.querySelector('.dues').getAttribute('aria-label')")))
			.endsWith("under 10 min: 20, under 1 h: 35");
	}

	@Test
	void whatFallsDueWhenIsDrawnAndSaid() {
		Instant wave = Instant.now().plus(Duration.ofHours(8)).truncatedTo(ChronoUnit.HOURS);
		delayQueue().schedule(QUEUE, "later", "payload", Duration.ofDays(3));
		open("/queue?name=" + QUEUE);
		browser.awaitText(".ahead .peak", "Nothing falls due");
		for (int i = 0; i < 1234; i++) {
			delayQueue().schedule(
					TaskRequest.queue(QUEUE).id("wave-" + i).payload("payload").dueAt(wave.plusSeconds(i)).build());
		}
		delayQueue().schedule(QUEUE, "soon", "payload", Duration.ofMinutes(30));
		open("/queue?name=" + QUEUE + "&state=DEAD");
		browser.awaitText(".ahead .peak", "1 task falls due at ");
		assertThat(browser.count(".ahead svg:not(.cursor) rect")).isEqualTo(60);
		browser.click("[data-key=fallsDue] a[data-key=day]");
		browser.awaitText(".ahead .peak", "900 tasks fall due at ");
		assertThat(browser.count(".ahead svg:not(.cursor) rect")).isEqualTo(96);
		assertThat(
				String.valueOf(browser.run("return document.querySelector('.ahead svg').getAttribute('aria-label')")))
			.startsWith("900 tasks fall due at ");
		browser.click(".ahead summary");
		browser.awaitText(".ahead tbody tr:nth-child(2)", "900");
		browser.awaitText(".ahead tbody tr:nth-child(3)", "334");
		browser.click(".tasks a[data-key=SCHEDULED]");
		browser.awaitText(".tasks tbody", "wave-0");
		browser.awaitText(".ahead .peak", "900 tasks");
		browser.click("[data-key=fallsDue] a[data-key=month]");
		browser.awaitText(".ahead .peak", "tasks fall due on ");
		assertThat(browser.count(".ahead svg:not(.cursor) rect")).isEqualTo(30);
	}

	@Test
	void whatHasHappenedIsDrawnByTheHour() {
		delayQueue().schedule("last-week", "task", null, Duration.ofDays(1));
		open("/queue?name=last-week");
		browser.awaitText("[data-key=lastWeek] .peak", "Nothing was handled");
		StringRedisTemplate redis = new StringRedisTemplate(shop.bean(RedisConnectionFactory.class));
		long hour = Duration.ofSeconds(Instant.now().getEpochSecond()).toHours();
		redis.opsForList()
			.rightPushAll("delay:queue:{last-week}:hours", (hour - 10) + " 0 0 0 0 0",
					(hour - 1) + " 1000 100 10 111 555000000", hour + " 1000 100 10 111 555000000");
		redis.opsForHash()
			.putAll("delay:queue:{last-week}:meta", Map.of("completed", "1003", "retried", "100", "buried", "10",
					"late", "111", "handling", "556000000"));
		open("/queue?name=last-week");
		browser.awaitText("[data-key=lastWeek] .peak",
				"Late by more than a second: 9.97% in 7 days, 0% in this hour. Handlers take 500 ms on average. Grey: no instance asked for tasks.");
		for (String total : List.of("completed", "retried", "deadLettered")) {
			assertThat(browser.count(".week ." + total + " rect:not(.unknown)")).as(total)
				.isEqualTo("completed".equals(total) ? 2 : 1);
			// the hour may turn meanwhile
			assertThat(browser.count(".week ." + total + " rect.unknown")).as(total).isBetween(8, 9);
		}
		assertThat(browser.count(".week .days text")).isBetween(6, 8);
		browser.run("document.querySelector('[data-reads=week]').focus()");
		browser.press(Keys.HOME);
		browser.awaitText(".week .value", ": Not known");
		browser.press("" + Keys.END + Keys.ARROW_LEFT.toString().repeat(10));
		Awaitility.await().until(() -> {
			browser.press(Keys.ARROW_RIGHT);
			return browser.text(".week .value").endsWith(":00: Completed 0, Retried 0, Dead-lettered 0");
		});
		browser.click(".week summary");
		browser.awaitText(".week tbody tr:nth-child(1)", "333 ms");
		browser.awaitText(".week tbody tr:nth-child(2)", "1,000");
		browser.awaitText(".week tbody tr:nth-child(2)", "10%");
		assertThat(browser.count(".week tbody tr")).isEqualTo(2);
		redis.delete("delay:queue:{last-week}:hours");
		redis.opsForValue().set("delay:queue:{last-week}:hours", "nothing of ours");
		open("/queue?name=last-week");
		browser.awaitText("[data-key=lastWeek] .empty", "Not known");
		redis.delete("delay:queue:{last-week}:hours");
	}

	@Test
	void whatComesFromOutsideIsTextAndNothingElse() {
		String id = "<img src=x onerror=\"document.title='taken over'\">/日本 %;&?#";
		delayQueue().schedule(TaskRequest.queue(QUEUE)
			.id(id)
			.payload("<script>document.title='taken over'</script>")
			.header("<b>header</b>", "<i>value</i>")
			.build());
		delayQueue().poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("<u>reason</u> \u202Egpj.exe");
		open("/queue?name=" + QUEUE);
		browser.awaitText(".tasks .rows th", id);
		browser.awaitText(".tasks .reason", "<u>reason</u> ⟨U+202E⟩gpj.exe");
		browser.click(".tasks .rows th a");
		browser.awaitText("h1", id);
		browser.awaitText("[data-key=payload]", "<script>document.title='taken over'</script>");
		browser.awaitText("[data-key=headers]", "<b>header</b>: <i>value</i>");
		browser.click("[data-action=redrive]");
		browser.awaitText("dialog", id);
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Redrive (1)");
		assertThat(browser.count("main img, main script, main b, main i, main u")).isZero();
		assertThat(String.valueOf(browser.run("return document.title"))).startsWith(id);
	}

	@Test
	void pageIsUsedByKeyboardAndKeepsTheFocus() {
		delayQueue().schedule(QUEUE, "task", "payload", Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=task");
		browser.awaitText("h1", "task");
		browser.run("document.querySelector('[data-action=cancel]').focus()");
		browser.run("document.querySelector('[data-action=cancel]').dataset.seen = 'yes'");
		browser.awaitCount("[data-seen=yes]", 0);
		assertThat(browser.run("return document.activeElement.dataset.action")).isEqualTo("cancel");
		browser.press(Keys.ENTER);
		browser.awaitText("dialog[open]", "Cancel task");
		assertThat(browser.run("return document.activeElement.id")).isEqualTo("dialog-cancel");
		browser.press(Keys.ESCAPE);
		browser.awaitCount("dialog[open]", 0);
		assertThat(browser.run("return document.activeElement.dataset.action")).isEqualTo("cancel");
		assertThat(delayQueue().find(QUEUE, "task")).isPresent();
	}

	@Test
	void answerThatComesLateLeavesTheNextDialogOpen() {
		delayQueue().schedule(QUEUE, "task", "payload", Duration.ofDays(1));
		open("/task?queue=" + QUEUE + "&id=task");
		browser.awaitText("h1", "task");
		browser.run("""
				const real = window.fetch;
				window.fetch = (url, options) => options.method !== 'POST' ? real(url, options)
						: new Promise((resolve) => window.answer = () => real(url, options).then(resolve));
				""");
		browser.click("[data-action=run-now]");
		browser.click("#dialog-confirm");
		browser.press(Keys.ESCAPE);
		browser.awaitCount("dialog[open]", 0);
		browser.click("[data-action=cancel]");
		browser.awaitText("dialog[open]", "Cancel task");
		browser.run("window.answer()");
		browser.awaitText("#notice", "Done: Run now");
		assertThat(browser.count("dialog[open]")).isEqualTo(1);
		assertThat(delayQueue().find(QUEUE, "task")).isPresent();
	}

	@Test
	void addressThatNamesNoViewShowsAllQueues() {
		open("/toString");
		browser.awaitText("h1", "queues");
	}

	@Test
	void payloadIsBrokenIntoLinesAndOtherwiseLeftAsItIs() {
		open("/");
		assertThat(format("indented",
				"{\"b\":1.10,\"a\":[12345678901234567890,1e400],\"2\":{ },\"1\":\"{a, \\\"b\\\": []\"}"))
			.isEqualTo("""
					{
					  "b": 1.10,
					  "a": [
					    12345678901234567890,
					    1e400
					  ],
					  "2": {},
					  "1": "{a, \\"b\\": []"
					}""");
		assertThat(format("indented", "\"text\"")).isEqualTo("\"text\"");
		assertThat(format("indented", "[".repeat(60) + "]".repeat(60))).isEqualTo("[".repeat(60) + "]".repeat(60));
	}

	@Test
	void timeThatNoCalendarKnowsIsShownAsItIs() {
		open("/");
		assertThat(format("time", "+12345-01-01T00:00:00Z")).isEqualTo("+12345-01-01T00:00:00Z");
		assertThat(format("distance", "+12345-01-01T00:00:00Z")).isEqualTo("");
		assertThat(format("time", "2026-01-31T09:00:00Z")).contains("2026");
		assertThat(format("moment", "2026-99-99T09:00:00Z")).isEqualTo("2026-99-99T09:00:00Z");
	}

	@Test
	void numberOfTasksIsALowerBoundWhereNotAllAreCounted() {
		open("/");
		assertThat(formatted("tasks(5, { inDatabaseOnly: " + (QueueStats.MOST_IN_DATABASE_ONLY - 1) + " })"))
			.isEqualTo("5");
		assertThat(formatted("tasks(5, { inDatabaseOnly: " + QueueStats.MOST_IN_DATABASE_ONLY + " })")).isEqualTo("5+");
	}

	private static String format(String function, String value) {
		return formatted(function + "(" + JSON.writeValueAsString(value) + ")");
	}

	private static String formatted(String call) {
		return String.valueOf(browser.run(PageModules.with("format.js", "return module." + call)));
	}

	@Test
	void overviewShowsRatesAndChartsOfTheLastMinutes() {
		browser.hurry(false);
		fill();
		open("/");
		// For a picture there has to be more to see
		for (int i = 0; Browser.keepsPictures() && i < 300; i++) {
			delayQueue().schedule("payment_check", "task-" + i, null, Duration.ZERO);
			delayQueue().schedule("refund", "task-" + i, null, Duration.ZERO);
			delayQueue().poll("refund", 1, Duration.ofMinutes(1)).forEach((task) -> task.deadLetter("no account"));
			pauseWithWork("newsletter");
		}
		int changes = Browser.keepsPictures() ? 25 : 2;
		for (int i = 0; i < changes; i++) {
			String before = chart("Handled");
			for (int j = 0; j < 10 + 15 * Math.abs(i % 8 - 4); j++) {
				sendMessage(Duration.ofMillis(1500));
				delayQueue().schedulePayload(QUEUE, Map.of("amount", j), Duration.ofSeconds(3 + i));
			}
			Awaitility.await().until(() -> !chart("Handled").equals(before));
		}
		browser.awaitText("tr[data-key=" + QUEUE + "] td.due", "oldest ");
		// That of the last ten seconds: more have to come in until the page has looked
		Awaitility.await().pollInterval(Duration.ofSeconds(1)).until(() -> {
			sendMessage(Duration.ZERO);
			return browser.text("tr[data-key=scheduled_message] td[data-label=Handled] .value");
		}, (rate) -> rate.matches("(?!0/s)[0-9].*/s"));
		browser.keep("dashboard");
		browser.click("tr[data-key=" + QUEUE + "] td.dead a");
		browser.awaitText(".tasks .rows tr", "invoice-1001");
		browser.keep("dashboard-queue");
		browser.prefer("dark");
		browser.keep("dashboard-queue-dark");
		browser.prefer("light");
		browser.size(390, 844, true);
		browser.keep("dashboard-phone");
		if (Browser.keepsPictures()) {
			browser.size(1200, 800, false);
			browser.speak("zh-CN");
			open("/");
			browser.awaitText("tbody[data-key=refund] .top", "no account");
			browser.keep("dashboard-zh");
		}
	}

	private static void sendMessage(Duration delay) {
		delayQueue().schedulePayload("scheduled_message",
				Map.of("id", "message-0", "content", "hello", "status", "SCHEDULED", "sendAt", "2026-01-01T00:00:00Z"),
				delay);
	}

	private static String chart(String column) {
		return String.valueOf(browser.run("return document.querySelector(\"tr[data-key=scheduled_message] "
				+ "td[data-label='" + column + "'] polyline\")?.getAttribute('points') ?? ''"));
	}

	@Test
	void chineseIsSpokenToAChineseBrowser() {
		fill();
		delayQueue().schedule("chinese", "task", null, Duration.ZERO);
		browser.speak("zh-CN");
		open("/");
		browser.awaitText("h1", "个队列");
		browser.awaitText("tbody[data-key=chinese] .cause", "没有实例消费：1 个任务已到期，最久的已等待");
		browser.awaitText("tbody[data-key=chinese] .cause", "启动消费者");
		for (String code : Stream.concat(TroubleRules.CODES.keySet().stream(), Stream.of("wave")).toList()) {
			assertThat(browser.run(PageModules.with("messages.js",
					"return module.translated('trouble_" + code + "') && module.translated('advice_" + code + "')")))
				.as(code)
				.isNotNull();
		}
		browser.click("tr[data-key=" + QUEUE + "] td.dead a");
		browser.awaitText(".tasks .cause-of", "监听方法主动放弃");
		browser.awaitText(".tasks .tabs [aria-current]", "死信");
		browser.awaitText("[data-key=fallsDue] [aria-current]", "未来 60 分钟");
		browser.awaitText(".ahead .peak", "个任务到期");
		// how many are late depends on how busy the machine is
		browser.awaitText(".week .peak", "延误超过一秒：7 天内 ");
		assertThat(browser.run("return document.documentElement.lang")).isEqualTo("zh-CN");
	}

	private static String deadWebhook(WebhookServer server) {
		String id = shop.create("/webhooks", "{\"url\":\"" + server.url() + "\"}").required("id").stringValue();
		shop.awaitStatus("/webhooks/" + id, "DEAD");
		return id;
	}

	/** Three dead letters and some that wait. */
	private static void fill() {
		DelayQueueOperations delayQueue = delayQueue();
		for (int i = 0; i < 3; i++) {
			delayQueue.schedule(QUEUE, String.format(Locale.ROOT, "invoice-%d", 1001 + i),
					Map.of("amount", 40 + i, "currency", "EUR"), Duration.ZERO);
			delayQueue.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("The tax office knows no such customer");
		}
		Duration[] delays = { Duration.ofMinutes(9), Duration.ofMinutes(50), Duration.ofHours(20), Duration.ofDays(6),
				Duration.ofDays(30) };
		int[] numbers = { 20, 35, 12, 5, 2 };
		for (int i = 0; i < delays.length; i++) {
			for (int j = 0; j < numbers[i]; j++) {
				delayQueue.schedulePayload(QUEUE, Map.of("amount", j), delays[i]);
			}
		}
	}

	/** Consumed by hand, so that its only trouble is that it is paused. */
	private static void pauseWithWork(String queue) {
		delayQueue().poll(queue, 1, Duration.ofMinutes(1));
		delayQueue().pause(queue);
		delayQueue().schedulePayload(queue, null, Duration.ZERO);
	}

	@SuppressWarnings("unchecked")
	private static List<String> rows() {
		return (List<String>) browser.run("return " + ROWS);
	}

	private static void awaitRows(String condition) {
		browser.awaitTrue("const rows = " + ROWS + "; return " + condition);
	}

	private static void awaitNews(String text) {
		browser.awaitTrue("return document.querySelector('#news[role=status]').textContent.includes('" + text + "')");
	}

}
