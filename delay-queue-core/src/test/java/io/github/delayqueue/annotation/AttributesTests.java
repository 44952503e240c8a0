package io.github.delayqueue.annotation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.retry.RetryOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The attributes of {@link DelayQueueListener}.
 */
class AttributesTests {

	@Test
	void expressionsKnowTheBeanItself() {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(), (beans) -> {
			beans.registerBean("first", OfTenant.class, () -> new OfTenant("a"));
			beans.registerBean("second", OfTenant.class, () -> new OfTenant("b"));
		})) {
			assertThat(context.endpoint("orders.a").options().own().concurrency()).isEqualTo(3);
			assertThat(context.endpoint("orders.b").id()).isEqualTo("listener-b");
		}
	}

	@Test
	void onlyTheQueueIsSetByDefault() {
		try (ListenerTestContext context = ListenerTestContext.of(Defaults.class)) {
			DelayQueueListenerEndpoint endpoint = context.endpoint();
			assertThat(endpoint.queue()).isEqualTo("orders");
			assertThat(endpoint.options()).isEqualTo(ListenerOptions.builder().id(endpoint.id()).batchSize(1).build());
		}
	}

	@Test
	void placeholdersAreResolved() {
		Map<String, Object> properties = new HashMap<>();
		properties.put("my.queue", "orders");
		properties.put("my.id", "the-id");
		properties.put("my.number", "3");
		properties.put("my.lease", "45s");
		properties.put("my.flag", "false");
		properties.put("my.timeout", "PT5M");
		properties.put("my.delay", "1s");
		properties.put("my.increment", "2s");
		properties.put("my.multiplier", "1.0");
		properties.put("my.max", "1h30m");
		properties.put("my.jitter", "0.25");
		properties.put("my.ladder", "0s, 0s,2m");
		properties.put("my.empty", "");
		try (ListenerTestContext context = ListenerTestContext.of(properties, Placeholders.class)) {
			assertThat(context.endpoint()).satisfies(AttributesTests::hasAllAttributes);
		}
	}

	/** Others have tests of their own. */
	@Test
	void attributesThatAreAddedAreTestedHere() throws Exception {
		DelayQueueListener listener = Placeholders.class.getDeclaredMethod("handle", List.class)
			.getAnnotation(DelayQueueListener.class);
		assertThat(DelayQueueListener.class.getDeclaredMethods())
			.filteredOn((attribute) -> Objects.deepEquals(AnnotationUtils.getValue(listener, attribute.getName()),
					attribute.getDefaultValue()))
			.extracting(Method::getName)
			.containsExactlyInAnyOrder("value", "every", "cron", "zone", "onMissed", "deadLetters");
	}

	/** Neither batches nor a recurrence; two are set by the properties of the queue. */
	@Test
	void deadLetterListenersHaveTheAttributesThatMakeSenseForThem() {
		List<String> theirs = Stream.of(DeadLetterListener.class.getDeclaredMethods()).map(Method::getName).toList();
		assertThat(DelayQueueListener.class.getDeclaredMethods()).extracting(Method::getName)
			.filteredOn((attribute) -> !theirs.contains(attribute))
			.containsExactlyInAnyOrder("deadLetters", "batchSize", "every", "cron", "zone", "onMissed",
					"autoRenewLease", "interruptOnCancel");
	}

	@Test
	void expressionsAreEvaluated() {
		try (ListenerTestContext context = ListenerTestContext.of(Settings.class, Expressions.class)) {
			assertThat(context.endpoint()).satisfies(AttributesTests::hasAllAttributes);
		}
	}

	@Test
	void unknownPlaceholderIsRefused() {
		assertUnknownPlaceholder(ListenerTestContext.failureOf(UnknownPlaceholder.class));
	}

	private static void assertUnknownPlaceholder(InvalidListenerException failure) {
		assertThat(failure).hasMessage("@DelayQueueListener method " + UnknownPlaceholder.class.getName()
				+ ".handle(String) has leaseDuration = '${no.such.property}' with a placeholder that is not defined");
		assertThat(failure.getAction())
			.isEqualTo("Define the property, or give the placeholder a default as in ${name:default}.");
	}

	@Test
	void brokenExpressionIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(BrokenExpression.class);
		assertThat(failure).hasMessageContaining(BrokenExpression.class.getName() + ".handle(String)")
			.hasMessageContaining("concurrency = '#{noSuchBean.size}' whose expression cannot be evaluated");
		assertThat(failure.getAction()).contains("'concurrency'");
	}

	@Test
	void valueThatComesFromPlaceholderIsNamedWithItsOrigin() {
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> ListenerTestContext.of(Map.of("my.lease", "soon"), FromPlaceholder.class).close());
		assertThat(failure).hasMessageEndingWith("has leaseDuration = 'soon' (from '${my.lease}'), "
				+ "which is not a duration with a unit, as in 30s, 10m or PT30S");
		assertThat(failure.getAction()).isEqualTo("Correct the attribute 'leaseDuration', or leave it out.");
	}

	@Test
	void valuesThatCannotBeReadAreRefused() {
		assertRefused(WrongNumber.class, "concurrency = 'many', which is not a whole number");
		assertRefused(Zero.class, "maxAttempts = '0', but it must be at least 1");
		assertRefused(WrongFlag.class, "autoRenewLease = 'yes', which is not true or false");
		assertRefused(WithoutUnit.class,
				"leaseDuration = '30', which is not a duration with a unit, as in 30s, 10m or PT30S");
		assertRefused(WrongRung.class,
				"retryDelays = 'later' (from '1s, later'), which is not a duration with a unit, as in 30s, 10m or PT30S");
		assertRefused(LargeBatch.class, "batchSize = '501', but it must be between 1 and 500");
	}

	private static void assertRefused(Class<?> listener, String problem) {
		InvalidListenerException failure = ListenerTestContext.failureOf(listener);
		assertThat(failure)
			.hasMessage("@DelayQueueListener method " + listener.getName() + ".handle(String) has " + problem);
		assertThat(failure.getAction()).contains("'" + problem.substring(0, problem.indexOf(' ')) + "'");
		assertThat(failure).hasToString(
				InvalidListenerException.class.getName() + ": " + failure.getMessage() + ". " + failure.getAction());
	}

	@Test
	void recurrenceIsRead() {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("my.cron", "0 0 9 * * MON-FRI"),
				Daily.class)) {
			assertThat(context.endpoint().options().recurrence())
				.isEqualTo(Recurrence.cron("0 0 9 * * MON-FRI", "Europe/Berlin").onMissed(OnMissed.SKIP));
		}
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("my.empty", ""), Hourly.class)) {
			assertThat(context.endpoint().options().recurrence()).isEqualTo(Recurrence.every(Duration.ofHours(1)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-", " - " })
	void recurrenceIsSwitchedOffByAProperty(String cron) {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("my.cron", cron), Daily.class)) {
			assertThat(context.endpoint().options().recurrence()).isNull();
		}
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("my.cron", cron), EveryOrCron.class)) {
			assertThat(context.endpoint().options().recurrence()).isEqualTo(Recurrence.every(Duration.ofHours(1)));
		}
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("my.every", ""), Steps.class)) {
			assertThat(context.endpoint().options().recurrence()).isNull();
		}
	}

	@Test
	void headerThatTheTaskOfAListenersOwnCannotHaveIsRefused() {
		assertThat(ListenerTestContext.failureOf(RequiredHeader.class))
			.hasMessageContaining("has a recurring task of its own, which has no headers, but requires one: ");
		try (ListenerTestContext context = ListenerTestContext.of(OptionalHeaders.class)) {
			assertThat(context.endpoint().options().recurrence()).isEqualTo(Recurrence.every(Duration.ofHours(1)));
		}
	}

	@Test
	void recurrencesThatAreNotPossibleAreRefused() {
		assertThat(ListenerTestContext.failureOf(CronWithoutZone.class))
			.hasMessageEndingWith("has 'cron' without the zone of its times");
		assertThat(ListenerTestContext.failureOf(ZoneAlone.class))
			.hasMessageEndingWith("has 'zone' without 'cron', or 'onMissed' without 'every' and 'cron'");
		assertThat(ListenerTestContext.failureOf(EveryAndCron.class))
			.hasMessageEndingWith("has both 'every' and 'cron'");
		assertThat(ListenerTestContext.failureOf(EveryWithZone.class))
			.hasMessageEndingWith("has 'zone' without 'cron', or 'onMissed' without 'every' and 'cron'");
		assertThat(ListenerTestContext.failureOf(NoCron.class)).hasMessageContaining(
				"has a recurrence that is not possible: cron 'daily' is no cron expression of six fields");
		assertThat(ListenerTestContext.failureOf(UnknownAnswer.class))
			.hasMessageContaining("has onMissed = 'never', which is not ONCE or SKIP");
		assertThat(ListenerTestContext.failureOf(UnknownAnswer.class).getAction()).as("there is no such property")
			.isEqualTo("Correct the attribute 'onMissed', or leave it out.");
	}

	@Test
	void missingQueueIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(NoQueue.class);
		assertThat(failure).hasMessageEndingWith(".handle(String) names no queue");
		assertThat(failure.getAction()).isEqualTo("Name it in the attribute 'queue'.");
	}

	@Test
	void eachOfSeveralQueuesHasAContainer() {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of("more", "refunds, payments"), Several.class)) {
			assertThat(context.endpoints())
				.extracting(DelayQueueListenerEndpoint::queue, DelayQueueListenerEndpoint::id,
						(endpoint) -> endpoint.options().own().concurrency())
				.containsExactlyInAnyOrder(tuple("orders", "attributesTests.Several.handle", 2),
						tuple("payments", "attributesTests.Several.handle#2", 2),
						tuple("refunds", "attributesTests.Several.handle#3", 2), tuple("mails", "mine", 3),
						tuple("news", "mine#2", 3));
		}
	}

	@Test
	void illegalQueueNameIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(IllegalQueue.class);
		assertThat(failure).hasMessageEndingWith("has queue = 'new payments', which is not allowed as a name");
		assertThat(failure.getAction()).contains("1 to 128 letters").contains("separate several by commas");
	}

	private static void hasAllAttributes(DelayQueueListenerEndpoint endpoint) {
		assertThat(endpoint.queue()).isEqualTo("orders");
		assertThat(endpoint.id()).isEqualTo("the-id");
		assertThat(endpoint.options()).isEqualTo(ListenerOptions.builder()
			.id("the-id")
			.concurrency(3)
			.leaseDuration(Duration.ofSeconds(45))
			.autoRenewLease(false)
			.handlerTimeout(Duration.ofMinutes(5))
			.with(ListenerTestContext.OF_A_PART, false)
			.autoStartup(false)
			.batchSize(3)
			.retry(new RetryOptions(3, Duration.ofSeconds(1), 1.0, Duration.ofSeconds(2), Duration.ofMinutes(90), 0.25,
					List.of(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(2), Duration.ofHours(1)),
					Duration.ofSeconds(4)))
			.noRetryFor(List.of(IllegalArgumentException.class, LinkageError.class))
			.build());
	}

	static class Defaults {

		@DelayQueueListener("orders")
		void handle(String payload) {
		}

	}

	static class Placeholders {

		@DelayQueueListener(queue = "${my.queue}", id = "${my.id}", concurrency = "${my.number}",
				leaseDuration = "${my.lease}", autoRenewLease = "${my.flag}", handlerTimeout = "${my.timeout}",
				interruptOnCancel = "${my.flag}", maxAttempts = "${my.number}", autoStartup = "${my.flag}",
				retryDelay = "${my.delay}", retryIncrement = "${my.increment}", retryMultiplier = "${my.multiplier}",
				retryMaxDelay = "${my.max}", retryJitter = "${my.jitter}",
				retryDelays = { "${my.ladder}", "${my.empty}", "${my.last:1h}" },
				retryDelayAfterFalse = "${my.false:4s}",
				noRetryFor = { IllegalArgumentException.class, LinkageError.class }, batchSize = "${my.number}")
		void handle(List<String> payloads) {
		}

	}

	static class Settings {

		public String getQueue() {
			return "orders";
		}

		public int getNumber() {
			return 3;
		}

		public List<Duration> getLadder() {
			return List.of(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(2));
		}

	}

	static class Expressions {

		private static final String SETTINGS = "#{@'attributesTests.Settings'.";

		@DelayQueueListener(queue = SETTINGS + "queue}", id = "#{'the-' + 'id'}", concurrency = SETTINGS + "number}",
				leaseDuration = "#{T(java.time.Duration).ofSeconds(45)}", autoRenewLease = "#{1 > 2}",
				handlerTimeout = "#{5}m", interruptOnCancel = "#{false}", maxAttempts = SETTINGS + "number}",
				autoStartup = "#{false}", retryDelay = "#{1}s", retryIncrement = "#{2}s", retryMultiplier = "#{1.0}",
				retryMaxDelay = "#{90}m", retryJitter = "#{0.25}",
				retryDelays = { SETTINGS + "ladder}", "#{new String[] {'1h'}}" }, retryDelayAfterFalse = "#{4}s",
				noRetryFor = { IllegalArgumentException.class, LinkageError.class }, batchSize = SETTINGS + "number}")
		void handle(List<String> payloads) {
		}

	}

	static class UnknownPlaceholder {

		@DelayQueueListener(queue = "orders", leaseDuration = "${no.such.property}")
		void handle(String payload) {
		}

	}

	static class BrokenExpression {

		@DelayQueueListener(queue = "orders", concurrency = "#{noSuchBean.size}")
		void handle(String payload) {
		}

	}

	static class FromPlaceholder {

		@DelayQueueListener(queue = "orders", leaseDuration = "${my.lease}")
		void handle(String payload) {
		}

	}

	static class WrongNumber {

		@DelayQueueListener(queue = "orders", concurrency = "many")
		void handle(String payload) {
		}

	}

	static class Zero {

		@DelayQueueListener(queue = "orders", maxAttempts = "0")
		void handle(String payload) {
		}

	}

	static class WrongFlag {

		@DelayQueueListener(queue = "orders", autoRenewLease = "yes")
		void handle(String payload) {
		}

	}

	static class WithoutUnit {

		@DelayQueueListener(queue = "orders", leaseDuration = "30")
		void handle(String payload) {
		}

	}

	static class WrongRung {

		@DelayQueueListener(queue = "orders", retryDelays = "1s, later")
		void handle(String payload) {
		}

	}

	static class LargeBatch {

		@DelayQueueListener(queue = "orders", batchSize = "501")
		void handle(String payload) {
		}

	}

	static class NoQueue {

		@DelayQueueListener
		void handle(String payload) {
		}

	}

	static class Several {

		@DelayQueueListener(queue = { "orders", "payments", "${more}" }, concurrency = "2")
		void handle(String payload) {
		}

		@DelayQueueListener(queue = "#{ { 'mails', 'news' } }", id = "mine", concurrency = "3")
		void send(String payload) {
		}

	}

	static class IllegalQueue {

		@DelayQueueListener(queue = { "orders", "new payments" })
		void handle(String payload) {
		}

	}

	static class Daily {

		@DelayQueueListener(queue = "orders", cron = "${my.cron}", zone = "Europe/Berlin", onMissed = "skip")
		void handle() {
		}

	}

	static class Hourly {

		@DelayQueueListener(queue = "orders", every = "1h", cron = "${my.empty}")
		void handle() {
		}

	}

	static class EveryOrCron {

		@DelayQueueListener(queue = "orders", every = "1h", cron = "${my.cron}", zone = "Europe/Berlin")
		void handle() {
		}

	}

	static class Steps {

		@DelayQueueListener(queue = "orders", every = "${my.every}", onMissed = "SKIP")
		void handle() {
		}

	}

	static class RequiredHeader {

		@DelayQueueListener(queue = "orders", every = "1h")
		void handle(@Header("tenant") String tenant) {
		}

	}

	static class OptionalHeaders {

		@DelayQueueListener(queue = "orders", every = "1h")
		void handle(@Header(name = "a", required = false) String a, @Header(name = "b", defaultValue = "x") String b,
				@Header("c") Optional<String> c, @Headers Map<String, String> all) {
		}

	}

	static class CronWithoutZone {

		@DelayQueueListener(queue = "orders", cron = "0 0 9 * * *")
		void handle() {
		}

	}

	static class ZoneAlone {

		@DelayQueueListener(queue = "orders", zone = "UTC")
		void handle() {
		}

	}

	static class EveryAndCron {

		@DelayQueueListener(queue = "orders", every = "1h", cron = "0 0 9 * * *", zone = "UTC")
		void handle() {
		}

	}

	static class EveryWithZone {

		@DelayQueueListener(queue = "orders", every = "1h", zone = "UTC")
		void handle() {
		}

	}

	static class NoCron {

		@DelayQueueListener(queue = "orders", cron = "daily", zone = "UTC")
		void handle() {
		}

	}

	static class UnknownAnswer {

		@DelayQueueListener(queue = "orders", every = "1h", onMissed = "never")
		void handle() {
		}

	}

	static class OfTenant {

		private final String tenant;

		OfTenant(String tenant) {
			this.tenant = tenant;
		}

		public String getTenant() {
			return this.tenant;
		}

		@DelayQueueListener(queue = "orders.#{__listener.tenant}", id = "listener-#{__listener.tenant}",
				concurrency = "#{__listener.getTenant().length() + 2}")
		public void handle(String payload) {
		}

	}

}
