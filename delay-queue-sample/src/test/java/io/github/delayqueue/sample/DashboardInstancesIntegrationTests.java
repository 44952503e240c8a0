package io.github.delayqueue.sample;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.HashOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of instances. Other instances are there by the traces that they would leave.
 */
class DashboardInstancesIntegrationTests extends AbstractDashboardIntegrationTests {

	private static final String KEY = "delay:queue:instances";

	@AfterEach
	void forgetInstances() {
		HashOperations<String, String, String> traces = shop.bean(StringRedisTemplate.class).opsForHash();
		traces.keys(KEY).stream().filter((id) -> !id.equals(self())).forEach((id) -> traces.delete(KEY, id));
	}

	@Test
	void instancesAreShownWithTheirListenersAndVersions() {
		leave("one", 0, trace("host-1", "9.9.9", 600_000, false, "webhook"));
		leave("two", 0, trace("host-2", "9.9.9", 600_000, false, "webhook"));
		leave("three", 0, trace("host-3", "9.9.8", 600_000, false, "webhook"));
		leave("four", 600, trace("host-4", "9.9.9", 0, true, "webhook"));
		leave("five", 7200, trace("host-5", "9.9.9", 20_000, false, "webhook"));
		leave("six", 600, trace("host-6", "9.9.9", 20_000, false, "webhook"));
		browser.open(shop.page());
		browser.awaitText("#places", "Instances");
		browser.click("#places [data-key=instances]");
		browser.awaitText("tr[data-key=one]", "host-1");
		browser.awaitText("tr[data-key=one]", "shop 1.4.2");
		browser.awaitText("tr[data-key=one]", "3 of 8 busy");
		browser.awaitText("tr[data-key=three] .badge.warning", "9.9.8");
		browser.awaitText("[data-key=runningNow] tbody tr:first-child", "webhook-7 webhook host-");
		assertThat(browser.count("tr[data-key=one] .badge.warning")).isZero();
		browser.type("#filter", "HOST-2");
		browser.awaitCount("section[data-key=instances] > table > tbody > tr", 1);
		browser.type("#filter", "webhookListener");
		browser.awaitText("tr[data-key='" + self() + "']", "webhookListener.call");
		browser.type("#filter", "");
		browser.awaitText("tr[data-key='" + self() + "'] .badge", "this instance");
		browser.awaitText("[data-key=ended] summary", "Ended since yesterday: 2");
		browser.click("[data-key=ended] summary");
		browser.awaitText("tr[data-key=four]", "shut down");
		browser.awaitText("tr[data-key=five]", "silent");
		browser.awaitText("section[data-key=instances] > table tbody tr:first-child", "host-6");
		assertThat(browser.count("tr[data-key=one] button, tr[data-key=four] button")).isZero();
		browser.keep("dashboard-instances");
		browser.click("tr[data-key=one] .listeners a");
		browser.awaitText("section[data-key=instances]", "host-2");
		browser.awaitTrue(
				"return /instances started: \\d [(].*1[.]4[.]2/.test(document.querySelector('.week .start title')?.textContent)");
		browser.awaitText("[data-key=times] .start", "instances started: ");
		browser.awaitText("[data-key=times]", "(1.4.2)");
		browser.size(390, 844, true);
		browser.open("about:blank");
		browser.open(shop.page() + "#/instances");
		browser.awaitText("tr[data-key=three] .badge.warning", "9.9.8");
		assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo(390L);
		browser.prefer("dark");
		browser.awaitText("tr[data-key=one]", "host-1");
		assertThat(browser.unreadable()).isEqualTo("");
	}

	@Test
	void listenerIsStoppedAndStartedWhereItIs() {
		browser.open(shop.page() + "#/instances");
		browser.click("tr[data-key='" + self() + "'] [data-key=fold]");
		String listener = "tr[data-key='" + self() + "'] li[data-key='webhook webhookListener.call'] ";
		browser.click(listener + "[data-action=stop]");
		browser.awaitText("dialog[open]", "Stop the listener “webhookListener.call” on ");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Stop");
		browser.awaitText(listener + ".badge.warning", "stopped");
		browser.click(listener + "[data-action=start]");
		browser.click("#dialog-confirm");
		browser.awaitText("#notice", "Done: Start");
		browser.awaitCount(listener + ".badge.warning", 0);
	}

	private static String self() {
		return shop.bean(DelayQueueListenerContainerRegistry.class).getInstance();
	}

	private static void leave(String id, int secondsAgo, String trace) {
		shop.bean(StringRedisTemplate.class)
			.opsForHash()
			.put(KEY, id, (System.currentTimeMillis() - secondsAgo * 1000L) + " " + trace);
	}

	private static String trace(String host, String version, int every, boolean ended, String queue) {
		return """
				{"host":"%s","pid":4711,"application":"shop","applicationVersion":"1.4.2","version":"%s","startedAgo":60000,"every":%d,"complete":true,
				"ended":%s,"consumers":[{"listener":"webhookListener.call","queue":"%s","workers":8,
				"active":3,"since":59000,"polledAgo":412,
				"calls":[{"task":"webhook-7","ran":50000,"patience":15000}]}],"stopped":[]}"""
			.formatted(host, version, every, ended, queue);
	}

}
