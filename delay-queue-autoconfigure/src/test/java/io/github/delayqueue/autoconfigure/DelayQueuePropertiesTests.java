package io.github.delayqueue.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.interrupts.CancelInterrupts;
import io.github.delayqueue.limits.FlowLimits;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.options.FailureLogging;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.replication.ReplicatedScripts;
import io.github.delayqueue.retention.Tending;
import io.github.delayqueue.retry.RetryOptions;
import io.github.delayqueue.roles.Retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DelayQueueProperties} and the settings they make.
 */
class DelayQueuePropertiesTests {

	/** Set in code alone, or in tests of their own. */
	private static final List<String> ELSEWHERE = List.of("retry", "no-retry-for", "redelivery-policy", "expires-after",
			"retry.delays", "journal.enabled", "producer.transaction", "rate-limit", "global-concurrency", "partitions",
			"groups.enabled", "groups.concurrency", "groups.rate-limit", "groups.ordered");

	@Test
	void withoutPropertiesTheDefaultsHold() {
		assertThat(settings()).isEqualTo(DelayQueueSettings.defaults());
	}

	@Test
	void generalPropertiesAreMapped() {
		DelayQueueSettings settings = settings("key-prefix", "shop:", "command-timeout", "1s",
				"listener.instance-timeout", "10s", "listener.scheduler-pool-size", "7");
		assertThat(settings.schedulerPoolSize()).isEqualTo(7);
		assertThat(settings.instanceTimeout()).isEqualTo(Duration.ofSeconds(10));
		assertThat(settings("listener.instance-timeout", "0").instanceTimeout()).isZero();
		assertThat(settings.keyPrefix()).isEqualTo("shop:");
		assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void incrementMakesDelaysGrowLinearly() {
		RetryOptions retry = retry("retry.increment", "30s");
		assertThat(retry.increment()).isEqualTo(Duration.ofSeconds(30));
		assertThat(retry.multiplier()).isEqualTo(1.0);
	}

	@Test
	void ladderAllowsAnAttemptMoreThanItHasRungs() {
		RetryOptions retry = retry("retry.delays", "2m,10m,10m,1h,2h,6h,15h");
		assertThat(retry.delays()).hasSize(7).startsWith(Duration.ofMinutes(2), Duration.ofMinutes(10));
		assertThat(retry.maxAttempts()).isEqualTo(8);
	}

	@Test
	void longDelayIsNotCutShortByTheDefaultBound() {
		assertThat(retry("retry.delay", "2h").maxDelay()).isEqualTo(Duration.ofHours(2));
	}

	@Test
	void journalIsMappedAndTheQueuesOwnTakesPrecedence() {
		DelayQueueSettings one = settings("queues.a.journal.enabled", "true", "queues.b.listener.prefetch", "7");
		assertThat(one.journal("a")).isTrue();
		assertThat(one.journal("b")).isFalse();
		assertThat(one.journal("c")).isFalse();
		assertThat(one.hasJournal()).isTrue();
		assertThat(one.journalEverywhere()).isFalse();
		DelayQueueSettings others = settings("journal.enabled", "true", "queues.a.journal.enabled", "false",
				"queues.b.listener.prefetch", "7");
		assertThat(others.journal("a")).isFalse();
		assertThat(others.journal("b")).isTrue();
		assertThat(others.journal("c")).isTrue();
		assertThat(others.journalEverywhere()).isFalse();
		assertThat(settings("journal.enabled", "true", "queues.b.listener.prefetch", "7").journalEverywhere()).isTrue();
		assertThat(settings("queues.a.journal.enabled", "false").hasJournal()).isFalse();
	}

	@Test
	void transactionIsMappedAndTheQueuesOwnTakesPrecedence() {
		DelayQueueSettings settings = settings("producer.transaction", "after-commit", "queues.a.producer.transaction",
				"immediate", "queues.b.listener.prefetch", "7");
		assertThat(settings.afterCommit("a")).isFalse();
		assertThat(settings.afterCommit("b")).isTrue();
		assertThat(settings.afterCommit("c")).isTrue();
		assertThat(settings.hasAfterCommit()).isTrue();
		DelayQueueSettings own = settings("queues.a.producer.transaction", "after-commit");
		assertThat(own.afterCommit("a")).isTrue();
		assertThat(own.afterCommit("b")).isFalse();
		assertThat(own.hasAfterCommit()).isTrue();
	}

	@Test
	void queueWithAJournalNeedNotWaitForTheCommit() {
		DelayQueueSettings settings = settings("producer.transaction", "after-commit", "journal.enabled", "true");
		assertThat(settings.afterCommit("a")).isFalse();
		assertThat(settings.hasAfterCommit()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "queues.order_timeout." })
	void everyPropertyOfQueuesCanBeSetForAllAndForOne(String prefix) {
		List<String> properties = List.of("listener.poll-interval=5s", "listener.prefetch=50",
				"listener.auto-startup=false", "listener.concurrency=3", "listener.lease-duration=7s",
				"listener.auto-renew-lease=false", "listener.handler-timeout=2m", "listener.interrupt-on-cancel=true",
				"listener.shutdown-timeout=9s", "listener.batch-size=20", "listener.log-failures=type-only",
				"retry.max-attempts=7", "retry.max-lease-losses=6", "retry.delay=3s", "retry.multiplier=1",
				"retry.increment=4s", "retry.max-delay=1m", "retry.jitter=0.2", "retry.delay-after-false=5s",
				"dead-letter.max-size=1000", "dead-letter.retention=30d", "completed.retention=2h",
				"producer.max-payload-size=64KB", "producer.min-replicas=3");
		DelayQueueSettings settings = settings(properties.stream()
			.flatMap((property) -> Stream.of((prefix + property).split("=")))
			.toArray(String[]::new));
		assertThat(DelayQueueSettings.QUEUE_OPTIONS).extracting(Object::toString)
			.filteredOn((option) -> properties.stream().noneMatch((property) -> property.startsWith(option + "=")))
			.containsExactlyInAnyOrderElementsOf(ELSEWHERE);
		QueueOptions options = QueueOptions.builder()
			.autoStartup(false)
			.concurrency(3)
			.leaseDuration(Duration.ofSeconds(7))
			.autoRenewLease(false)
			.handlerTimeout(Duration.ofMinutes(2))
			.with(CancelInterrupts.INTERRUPT, true)
			.shutdownTimeout(Duration.ofSeconds(9))
			.batchSize(20)
			.logFailures(FailureLogging.TYPE_ONLY)
			.maxLeaseLosses(6)
			.retry(new RetryOptions(7, Duration.ofSeconds(3), 1.0, Duration.ofSeconds(4), Duration.ofMinutes(1), 0.2,
					null, Duration.ofSeconds(5)))
			.pollInterval(Duration.ofSeconds(5))
			.prefetch(50)
			.completedRetention(Duration.ofHours(2))
			.deadLetterRetention(Duration.ofDays(30))
			.deadLetterMaxSize(1000L)
			.maxPayloadSize(DataSize.ofKilobytes(64))
			.with(ReplicatedScripts.MIN_REPLICAS, 3)
			.build()
			.withDefaults(DelayQueueSettings.defaults().general());
		assertThat(settings.forQueue("order_timeout")).isEqualTo(options);
		assertThat(settings.forQueue("other"))
			.isEqualTo(prefix.isEmpty() ? options : DelayQueueSettings.defaults().general());
	}

	@Test
	void queueTakesWhatItDoesNotSetFromTheGeneralProperties() {
		DelayQueueSettings settings = settings("listener.concurrency", "3", "listener.lease-duration", "7s",
				"retry.delay", "3s", "dead-letter.max-size", "9", "completed.retention", "1h",
				"queues.a.listener.lease-duration", "9s", "queues.a.retry.max-attempts", "2");
		QueueOptions listener = settings.forQueue("a");
		assertThat(listener.concurrency()).isEqualTo(3);
		assertThat(listener.leaseDuration()).isEqualTo(Duration.ofSeconds(9));
		assertThat(listener.retry().delay()).isEqualTo(Duration.ofSeconds(3));
		assertThat(listener.retry().maxAttempts()).isEqualTo(2);
		assertThat(Tending.retention(settings.forQueue("a"))).isEqualTo(new Retention(Duration.ofHours(1), null, 9L));
	}

	@Test
	void queueWithALadderIsNotBoundByTheGeneralNumberOfAttempts() {
		RetryOptions retry = settings("retry.max-attempts", "2", "queues.a.retry.delays", "1s,2s,3s").forQueue("a")
			.retry();
		assertThat(retry.maxAttempts()).isEqualTo(4);
	}

	@Test
	void limitsAndExpiryAreMapped() {
		DelayQueueSettings settings = settings("queues.a.rate-limit", "30/m", "queues.a.global-concurrency", "5",
				"queues.a.expires-after", "1h");
		assertThat(settings.forQueue("a").expiresAfter()).isEqualTo(Duration.ofHours(1));
		FlowLimits limits = new FlowLimits(new RateLimit(30, Duration.ofMinutes(1)), 5);
		assertThat(settings.forQueue("a").claimParts()).isEqualTo(limits.parts());
		assertThat(settings.forQueue("b").claimParts()).isEmpty();
	}

	@Test
	void partitionsAreMappedForEachQueue() {
		DelayQueueSettings settings = settings("queues.a.partitions", "8");
		assertThat(settings.partitions("a")).isEqualTo(8);
		assertThat(settings.partitions("b")).isEqualTo(1);
	}

	@Test
	void queueNameWithUnderscoreAndCapitalsNeedsNoBrackets() {
		assertThat(yaml("""
				delay-queue:
				  queues:
				    Order_Timeout-2:
				      listener.prefetch: 7
				""").forQueue("Order_Timeout-2").prefetch()).isEqualTo(7);
	}

	@Test
	void queueNameWithDotsAndColonsIsReadInBrackets() {
		assertThat(yaml("""
				delay-queue:
				  queues:
				    "[shop.orders:timeout]":
				      listener.prefetch: 7
				""").forQueue("shop.orders:timeout").prefetch()).isEqualTo(7);
	}

	@Test
	void queueNameWithDotsWithoutBracketsIsAnError() {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> yaml("""
				delay-queue:
				  queues:
				    shop.orders:
				      listener.prefetch: 7
				""")).havingRootCause().withMessageContaining("delay-queue.queues.shop.orders.listener.prefetch");
	}

	@Test
	void unknownPropertyIsAnError() {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> settings("listner.lease-duration", "1s"))
			.havingRootCause()
			.withMessageContaining("delay-queue.listner.lease-duration");
	}

	private static RetryOptions retry(String... pairs) {
		return settings(pairs).forQueue("a").retry();
	}

	private static DelayQueueSettings yaml(String yaml) {
		try {
			List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("test",
					new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
			return map(new Binder(ConfigurationPropertySources.from(sources)));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	static DelayQueueSettings settings(String... pairs) {
		Map<String, String> properties = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			properties.put("delay-queue." + pairs[i], pairs[i + 1]);
		}
		return map(new Binder(new MapConfigurationPropertySource(properties)));
	}

	private static DelayQueueSettings map(Binder binder) {
		DelayQueueProperties properties = binder.bindOrCreate("delay-queue", Bindable.of(DelayQueueProperties.class),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		return PropertiesMapper.map(properties, false);
	}

}
