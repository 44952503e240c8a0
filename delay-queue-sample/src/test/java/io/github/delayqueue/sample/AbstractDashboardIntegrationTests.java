package io.github.delayqueue.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.testsupport.Browser;
import io.github.delayqueue.testsupport.BrowserCondition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of a running shop in a headless Chromium, on a port of its own. All classes of
 * a JVM have the same shops and browser: each test leaves the page empty, and no queue
 * but those of the shop's listeners. {@code -Ddashboard.screenshots=../docs/images} keeps
 * what it looks like.
 */
@ExtendWith({ BrowserCondition.class, AbstractDashboardIntegrationTests.Opening.class })
abstract class AbstractDashboardIntegrationTests {

	/** A queue in which groups take turns. */
	static final String GROUPED = "tenants";

	/** Far from now: else it is one more task of the next hour, from eight to nine. */
	static final String DIGEST_CRON = "0 0 %d * * *"
		.formatted(LocalTime.now(ZoneId.of("Europe/Paris")).plusHours(12).getHour());

	static RunningShop shop;

	static Browser browser;

	private static Opened opened;

	/** A shop whose queues may only be looked at. */
	static RunningShop readOnly() {
		return opened.readOnly();
	}

	static void open(String place) {
		browser.open("about:blank");
		browser.open(shop.page() + "#" + place);
	}

	static DelayQueueOperations delayQueue() {
		return shop.bean(DelayQueueOperations.class);
	}

	@AfterEach
	void clear() {
		opened.leave();
	}

	private static void clear(RunningShop shop) {
		DelayQueueOperations delayQueue = shop.bean(DelayQueueOperations.class);
		Set<String> own = shop.bean(DelayQueueListenerContainerRegistry.class)
			.getContainers()
			.stream()
			.map(DelayQueueListenerContainer::getQueue)
			.collect(Collectors.toSet());
		for (String queue : delayQueue.queues()) {
			// that has a task of its listener
			if (!"daily_digest".equals(queue)) {
				delayQueue.clear(queue);
			}
			if (!own.contains(queue)) {
				delayQueue.forget(queue);
			}
		}
		shop.bean(DelayQueueTemplate.class).start();
	}

	static final class Opening implements BeforeAllCallback {

		@Override
		public void beforeAll(ExtensionContext context) {
			opened = context.getRoot()
				.getStore(Namespace.create(Opening.class))
				.computeIfAbsent(Opened.class, (key) -> new Opened(), Opened.class);
			shop = opened.shop;
			browser = opened.browser;
		}

	}

	/** Is closed when all tests have run. */
	private static final class Opened implements AutoCloseable {

		private final Path folder;

		private final RunningShop shop;

		private final Browser browser;

		private @Nullable RunningShop readOnly;

		Opened() {
			try {
				this.folder = Files.createTempDirectory("shops");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			this.shop = RunningShop.start(this.folder.resolve("operator"), "spring.profiles.active=operator",
					"sample.webhook.ladder=0s", "management.server.port=0", "sample.digest.cron=" + DIGEST_CRON,
					"delay-queue.queues." + GROUPED + ".groups.enabled=true");
			this.browser = Browser.start("en", 1200, 800);
		}

		RunningShop readOnly() {
			if (this.readOnly == null) {
				this.readOnly = RunningShop.start(this.folder.resolve("read-only"));
			}
			return this.readOnly;
		}

		void leave() {
			List<String> complaints = this.browser.complaints();
			this.browser.open("about:blank");
			this.browser.size(1200, 800, false);
			this.browser.prefer("light");
			this.browser.hurry(true);
			this.browser.speak("en");
			clear(this.shop);
			if (this.readOnly != null) {
				clear(this.readOnly);
			}
			assertThat(complaints).isEmpty();
		}

		@Override
		public void close() throws IOException {
			this.browser.close();
			if (this.readOnly != null) {
				this.readOnly.close();
			}
			this.shop.close();
			FileSystemUtils.deleteRecursively(this.folder);
		}

	}

}
