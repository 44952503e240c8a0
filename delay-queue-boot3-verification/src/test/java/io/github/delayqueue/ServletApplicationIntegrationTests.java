package io.github.delayqueue;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;

import io.github.delayqueue.testsupport.Browser;
import io.github.delayqueue.testsupport.BrowserCondition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link AbstractWebApplicationIntegrationTests} of a servlet application, and its page
 * in a browser.
 */
class ServletApplicationIntegrationTests extends AbstractWebApplicationIntegrationTests {

	ServletApplicationIntegrationTests() {
		super(WebApplicationType.SERVLET);
	}

	@Test
	@ExtendWith(BrowserCondition.class)
	void deadTaskIsSeenAndRedrivenInTheBrowser() {
		operations().purge("refused", TaskState.DEAD, 100);
		operations().schedule("refused", "seen", null, Duration.ZERO);
		try (Browser browser = Browser.start("en", 1200, 800)) {
			browser.open(address() + "/delay-queue/");
			browser.awaitText("tr[data-key=refused] td.dead a", "1");
			browser.click("tr[data-key=refused] td.dead a");
			browser.click("tr[data-key=seen] a");
			browser.awaitText("[data-key=lastError]", "IllegalStateException");
			browser.click("[data-action=redrive]");
			browser.click("#dialog-confirm");
			browser.awaitText("#notice", "Done: Redrive (1)");
			assertThat(browser.complaints()).isEmpty();
		}
	}

}
