package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.logging.Level;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.springframework.util.StringUtils;

/**
 * A headless Chromium of this machine. Nothing is downloaded.
 */
public final class Browser implements AutoCloseable {

	private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

	private static final List<String> DRIVERS = List.of("chromedriver", "chromium.chromedriver");

	/**
	 * No process for each page, for drawing or for the network, and nothing that an
	 * installed browser does besides: a third less to compute.
	 */
	private static final List<String> FRUGAL = List.of("--renderer-process-limit=1", "--disable-site-isolation-trials",
			"--disable-features=SpareRendererForSitePerProcess,IsolateOrigins,site-per-process,"
					+ "ProcessPerSiteUpToMainFrameThreshold,BackForwardCache",
			"--in-process-gpu", "--enable-features=NetworkServiceInProcess2", "--disable-extensions",
			"--disable-component-extensions-with-background-pages", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--no-first-run");

	/** The text that can be seen of the first element that there is. */
	private static final String TEXT = """
			const element = document.querySelector(%s);
			return !element ? null : !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ? ''
				: element.innerText.replace(/[^\\S\\n]+/g, ' ').replace(/ ?\\n[ \\n]*/g, '\\n').trim();
			""";

	/**
	 * Looks for a while, within the page: to be asked again and again from outside costs
	 * the browser and its driver more than the page itself.
	 */
	private static final String LOOK = """
			const look = () => { %s };
			const wanted = (value) => %s;
			for (const end = performance.now() + 500; ;) {
				const value = look();
				if (wanted(value) || performance.now() > end) {
					return value;
				}
				window.renew?.();
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			""";

	private static final Json JSON = new Json();

	private static final String SCREENSHOTS = "dashboard.screenshots";

	/** Texts whose contrast with what is behind them is below 4.5:1. */
	private static final String UNREADABLE = """
			const parse = (colour) => {
				const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
				return [r, g, b, a];
			};
			const over = ([r, g, b, a], below) => [r, g, b].map((each, i) => each * a + below[i] * (1 - a));
			const once = (of, known = new Map()) => (element) => {
				if (!known.has(element)) {
					known.set(element, of(element));
				}
				return known.get(element);
			};
			const ground = once((element) => element ? over(parse(getComputedStyle(element).backgroundColor),
					ground(element.parentElement)) : [255, 255, 255]);
			const light = (colour) => colour.map((each) => each / 255)
				.map((each) => (each <= 0.04045) ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
				.reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
			const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05)
				/ (Math.min(light(one), light(other)) + 0.05);
			const faded = once((element) => element ? getComputedStyle(element).opacity * faded(element.parentElement) : 1);
			const texts = (element) => [
				...([...element.childNodes].some((child) => child.data?.trim()) || element.value ? [null] : []),
				...['::before', '::after'].filter((each) => /\\w|[^\\x00-\\x7f]/.test(getComputedStyle(element, each)
					.content.replace(/^(none|normal)$/, ''))),
				...(element.placeholder && !element.value ? ['::placeholder'] : [])
			];
			return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility())
				.flatMap((each) => texts(each).map((part) => {
					const [r, g, b, a] = parse(getComputedStyle(each, part).color);
					return [each.textContent || each.value || each.placeholder,
						contrast(over([r, g, b, a * faded(each)], ground(each)), ground(each))];
				}))
				.filter(([, value]) => value < 4.5).map(([text, value]) => `${text}: ${value.toFixed(2)}`).join(', ');
			""";

	/**
	 * What the page would look at again after two seconds, it looks at as soon as a test
	 * waits for something that is not there.
	 */
	private static final String HURRY = """
			{
				const { setTimeout: start, clearTimeout: stop } = window;
				let tick;
				window.setTimeout = (step, ms, ...rest) => {
					const timer = start(step, ms, ...rest);
					if (step.name === 'tick') {
						tick = timer;
						const soon = performance.now() + 100;
						window.renew = () => tick === timer && performance.now() > soon && (stop(timer), tick = null, step());
					}
					return timer;
				};
				window.clearTimeout = (timer) => {
					stop(timer);
					tick = (timer === tick) ? null : tick;
				};
			}
			""";

	private final ChromeDriver driver;

	private @Nullable String hurry;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Look for a browser.
	 * @return what is missing, {@code null} if nothing is
	 */
	static @Nullable String missing() {
		if (Commands.find(BROWSERS).isEmpty()) {
			return "chromium";
		}
		return Commands.find(DRIVERS).isEmpty() ? "chromedriver" : null;
	}

	public static Browser start(String language, int width, int height) {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(Commands.find(BROWSERS).orElseThrow().toFile());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
				"--hide-scrollbars", "--force-color-profile=srgb", "--lang=" + language,
				"--window-size=" + width + "," + height);
		options.addArguments(FRUGAL);
		options.setExperimentalOption("prefs", Map.of("intl.accept_languages", language));
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(Commands.find(DRIVERS).orElseThrow().toFile())
			.usingAnyFreePort()
			.build();
		Browser browser = new Browser(new ChromeDriver(service, options));
		browser.size(width, height, false);
		browser.hurry(true);
		return browser;
	}

	/** The part of the window that shows the page, as of a computer or of a phone. */
	public void size(int width, int height, boolean phone) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
	}

	/**
	 * Whether pages that are opened from now on are renewed while a test waits, and not
	 * only each two seconds; not for pictures.
	 */
	public void hurry(boolean on) {
		if (on && this.hurry == null && !keepsPictures()) {
			this.hurry = (String) this.driver
				.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", HURRY))
				.get("identifier");
		}
		else if (!on && this.hurry != null) {
			this.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", this.hurry));
			this.hurry = null;
		}
	}

	public void prefer(String colorScheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
	}

	/** The language of the browser, for pages that are opened from now on. */
	public void speak(String language) {
		this.driver.executeCdpCommand("Emulation.setUserAgentOverride", Map.of("userAgent",
				Objects.requireNonNull(run("return navigator.userAgent")), "acceptLanguage", language));
	}

	public void open(String url) {
		this.driver.get(url);
	}

	public void forgetCookies() {
		this.driver.manage().deleteAllCookies();
	}

	/** Waits until there is one. What the page renews meanwhile is looked for again. */
	public String text(String css) {
		return await(css, () -> (String) look(textOf(css), "value !== null"));
	}

	public void awaitText(String css, String part) {
		Awaitility.await(css + " with text " + part)
			.until(() -> (String) look(textOf(css), "value?.includes(" + JSON.toJson(part) + ")"),
					(text) -> text != null && text.contains(part));
	}

	public void awaitCount(String css, int expected) {
		Awaitility.await(css).until(() -> look(countOf(css), "value === " + expected), Long.valueOf(expected)::equals);
	}

	private void awaitThere(String css) {
		awaitTrue("return document.querySelector(" + JSON.toJson(css) + ") !== null");
	}

	/** Until a function, whose body this is, returns {@code true}. */
	public void awaitTrue(String script) {
		Awaitility.await(script).until(() -> look(script, "value === true"), Boolean.TRUE::equals);
	}

	/** The last value, {@code null} also where the page has gone meanwhile. */
	private @Nullable Object look(String script, String wanted) {
		try {
			return run(String.format(Locale.ROOT, LOOK, script, wanted));
		}
		catch (JavascriptException ex) {
			throw ex;
		}
		catch (WebDriverException ex) {
			if (String.valueOf(ex.getMessage())
				.matches("(?s).*(navigated or closed|context was destroyed|collected).*")) {
				return null;
			}
			throw ex;
		}
	}

	private static String textOf(String css) {
		return String.format(Locale.ROOT, TEXT, JSON.toJson(css));
	}

	/**
	 * An element that its click removes may be reported as gone, and must not be clicked
	 * again.
	 */
	public void click(String css) {
		run("window.clicked = false; "
				+ "document.addEventListener('click', () => { window.clicked = true; }, { capture: true, once: true })");
		await(css, () -> {
			try {
				// from under what stays at the top and at the bottom
				awaitTrue("const element = document.querySelector(" + JSON.toJson(css)
						+ "); element?.scrollIntoView({ block: 'center' }); return element !== null");
				this.driver.findElement(By.cssSelector(css)).click();
			}
			catch (StaleElementReferenceException ex) {
				if (!Boolean.TRUE.equals(run("return window.clicked"))) {
					throw ex;
				}
			}
			return true;
		});
	}

	public void point(String css) {
		awaitThere(css);
		await(css, () -> {
			new Actions(this.driver).moveToElement(this.driver.findElement(By.cssSelector(css))).perform();
			return true;
		});
	}

	/** What has the focus may lose it in this moment: a button that is disabled. */
	public void press(CharSequence keys) {
		await("keys", () -> {
			this.driver.switchTo().activeElement().sendKeys(keys);
			return true;
		});
	}

	/**
	 * By keys alone: what is cleared without the focus is written again by a page that
	 * renews itself.
	 */
	public void type(String css, String text) {
		awaitThere(css);
		await(css, () -> {
			this.driver.findElement(By.cssSelector(css)).sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE, text);
			return true;
		});
	}

	public int count(String css) {
		return ((Number) Objects.requireNonNull(run(countOf(css)))).intValue();
	}

	private static String countOf(String css) {
		return String.format(Locale.ROOT, "return document.querySelectorAll(%s).length", JSON.toJson(css));
	}

	/** The body of an asynchronous function. */
	public @Nullable Object run(String script) {
		Map<String, Object> answer = this.driver.executeCdpCommand("Runtime.evaluate", Map.of("expression",
				"(async () => {" + script + "})()", "awaitPromise", true, "returnByValue", true, "userGesture", true));
		if (answer.containsKey("exceptionDetails")) {
			throw new JavascriptException(String.valueOf(answer.get("exceptionDetails")));
		}
		return ((Map<?, ?>) Objects.requireNonNull(answer.get("result"))).get("value");
	}

	/**
	 * What the browser has complained of: errors of scripts, what the policy forbids. Of
	 * answers to the page's own questions (404, none) it complains by itself.
	 */
	public List<String> complaints() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.filter((message) -> !(message.matches("(?s).*/delayqueue[/? ].*")
					&& message.contains("Failed to load resource")))
			.toList();
	}

	/** Texts that can be seen but hardly read, with their contrast. */
	public String unreadable() {
		return String.valueOf(run(UNREADABLE));
	}

	public static boolean keepsPictures() {
		return StringUtils.hasText(System.getProperty(SCREENSHOTS));
	}

	/** Keeps what can be seen, if {@code -Ddashboard.screenshots} names a folder. */
	public void keep(String name) {
		if (keepsPictures()) {
			String folder = System.getProperty(SCREENSHOTS);
			try {
				Files.createDirectories(Path.of(folder));
				Files.write(Path.of(folder, name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	private static <T> T await(String what, Supplier<T> step) {
		return Awaitility.await(what)
			.ignoreExceptionsMatching(Browser::isNotThereYet)
			.until(step::get, Objects::nonNull);
	}

	private static boolean isNotThereYet(Throwable error) {
		return error instanceof org.openqa.selenium.NoSuchElementException
				|| error instanceof StaleElementReferenceException
				|| error instanceof org.openqa.selenium.InvalidElementStateException;
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
